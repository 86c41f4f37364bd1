"""The table of articles, with the form of its columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from sqlmodel import Field, Session, SQLModel

from sitekit.base.permissions import Actor
from sitekit.base.text import record_list, text_of
from sitekit.records.edits import Edit
from sitekit.records.fields.date import PastDate
from sitekit.records.fields.field_type import RAIL, Input
from sitekit.records.fields.flag import Flag
from sitekit.records.fields.group import GroupField
from sitekit.records.fields.line import Line, Slug
from sitekit.records.fields.list import ListField
from sitekit.records.fields.markdown import MarkdownField
from sitekit.records.fields.moment import Moment
from sitekit.records.fields.picture import PictureField
from sitekit.records.fields.reference import ReferenceField
from sitekit.records.fields.text import TextField
from sitekit.records.form_fields import SHORT
from sitekit.records.form_texts import LIST_HINT, Section
from sitekit.records.record import PUBLISHING, Publishing, Record, active_field, json_list
from sitekit.records.selection import READ_AS

COMPANY = ReferenceField("companies", Publishing("status", public="Active", hidden="Inactive"))
ADVISOR = ReferenceField("advisors", PUBLISHING)

ARTICLE = Section("The article", "The list shows the title, summary and author; its own page shows everything.")
ABOUT = Section("What it is about", "Shown on the pages of the author and of the companies.")
PICTURE = Section("Cover and address", "Without a cover, the author’s portrait is shown where the article is shared.")

TEXT_LOOK = "prose article-text"


class AuthorField(ReferenceField):
    """A member or an advisor. The article keeps the name, so that one who has left stays named."""

    def prepare(self, session: Session, actor: Actor, name: str, edits: Sequence[Edit]) -> None:
        """Refuse an author whom no record has, and note the name of one who is chosen."""
        super().prepare(session, actor, name, edits)
        for edit in edits:
            slug = edit.values.get(name)
            # One who is gone is found no more, but the name of a version that is restored stays.
            if slug == "" or (slug and self.name_of(session, slug)):
                edit.values["author_name"] = self.name_of(session, slug)


AUTHOR = AuthorField("team_members", PUBLISHING, others=(ADVISOR,))


@dataclass(frozen=True)
class MentionedCompany:
    """A company that an article speaks of, by its slug."""

    company: Annotated[str, COMPANY, Input("Company")] = ""


def mentions_of(value: object) -> tuple[MentionedCompany, ...]:
    """The companies in a stored value."""
    return tuple(MentionedCompany(text_of(item.get("company"))) for item in record_list(value, "company"))


MENTIONS = GroupField(of=MentionedCompany, rows_of=mentions_of, one="Company", add="Add company")


class Article(Record, table=True):
    """An article, or the case of one company. Only active rows are public."""

    __tablename__ = "articles"

    name: Annotated[Line, Input("Title", section=ARTICLE, is_required=True)]
    summary: Annotated[
        str,
        TextField(SHORT),
        Input("Summary", "At most 200 characters.", is_required=True, rows=2),
    ] = ""
    text: Annotated[
        str, MarkdownField(TEXT_LOOK), Input("Text", "Blank lines separate paragraphs.", is_required=True, rows=24)
    ] = ""
    author: Annotated[str, AUTHOR, Input("Author", "If empty, it is by the firm.", section=ABOUT)] = ""
    written_on: Annotated[
        PastDate, Input("Date", "When it was written. To publish later, use “Publish at”.", is_required=True)
    ] = ""
    topics: Annotated[Any, ListField(), Input("Topics", LIST_HINT)] = json_list()
    case_of: Annotated[str, COMPANY, Input("Case of", "For a case: the company it is about.")] = ""
    companies: Annotated[Any, MENTIONS, Input("Companies", "Other companies it mentions.")] = json_list()
    cover_url: Annotated[
        str, PictureField("cover"), Input("Cover", "A wide picture above the text.", section=PICTURE)
    ] = ""
    slug: Annotated[Slug, Input("Page address", "If empty, it is made from the title.")] = Field(unique=True)
    is_active: Annotated[Flag, Input("Active", "Only active articles are shown to visitors.", section=RAIL)] = (
        active_field()
    )
    told_at: Annotated[
        Moment, Input("Tell readers that this was updated", "The page and the feed say so once you have saved.")
    ] = ""
    author_name: str = ""


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["articles"].c
# The author's name at present; who is gone stays named.
AUTHOR_NAME = AUTHOR.present_name(columns.author, columns.author_name)
columns.author_name.info[READ_AS] = AUTHOR_NAME
