"""The table of companies, with the form of its columns."""

from dataclasses import dataclass
from typing import Annotated, Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from sitekit.base.text import is_blank, text_of
from sitekit.records.fields.choice import ChoiceField
from sitekit.records.fields.field_type import RAIL, Input
from sitekit.records.fields.flag import Flag
from sitekit.records.fields.group import GroupField
from sitekit.records.fields.line import Email, HeadCount, Line, LongLine, Phone, Slug, WebUrl, Year
from sitekit.records.fields.list import ListField
from sitekit.records.fields.picture import PictureField
from sitekit.records.fields.reference import ReferenceField
from sitekit.records.fields.text import Text
from sitekit.records.form_texts import LIST_HINT, Section
from sitekit.records.record import PUBLISHING, Record, json_list

from .. import routes
from ..content.support import SUPPORT_AREAS

ACTIVE = "Active"
INACTIVE = "Inactive"
EXITED = "Exited"
MEMBER = ReferenceField("team_members", PUBLISHING)  # the one who led the work
STAGES = ("Seed", "Series A", "Series B", "Series C", "Growth")

ESSENTIALS = Section(
    "The essentials", "The list shows the name, tagline, industry and country; its own page shows everything."
)
WORK = Section("What the firm did", "Optional. The company’s page begins with it.")
QUOTATION = Section("A quotation", "Optional. What a founder says about the work, shown with their name and role.")
STORY = Section("The story", "Shown on the company’s own page, the description first.")
LISTS = Section("What they do", "Each of these is shown as a list.")
REACH = Section("Where to find them", "Optional. Empty fields are not shown.")
LEGAL = Section("Legal details", "Shown in the facts beside the text.")
PICTURE = Section("Picture and address", "The logo is shown beside the name wherever the company is listed.")


@dataclass(frozen=True)
class Founder:
    """One founder of a company. The name may be long, because older records have all founders in one text."""

    name: Annotated[LongLine, Input("Founder’s name")] = ""
    title: Annotated[LongLine, Input("Title")] = ""
    bio: Annotated[Text, Input("Bio")] = ""


def founders_of(value: object) -> tuple[Founder, ...]:
    """The founders in a stored value of any version: a list of objects, one object, or plain text (a name)."""
    items = value if isinstance(value, list) else [value]
    founders = (_founder(item) for item in items)
    return tuple(founder for founder in founders if not all(map(is_blank, vars(founder).values())))


def _founder(item: object) -> Founder:
    if not isinstance(item, dict):
        return Founder(name=text_of(item))
    return Founder(text_of(item.get("name")), text_of(item.get("title")), text_of(item.get("bio")))


FOUNDERS = GroupField(of=Founder, rows_of=founders_of, one="Founder", add="Add founder", at_least=1)


def optional() -> Any:
    """A column of text that the release before does not write."""
    return Field(default="", sa_column_kwargs={"server_default": ""})


class Company(Record, table=True):
    """A portfolio company. Only rows whose status is exactly 'Active' are public."""

    __tablename__ = "companies"

    name: Annotated[Line, Input("Name", section=ESSENTIALS, is_required=True)]
    tagline: Annotated[LongLine, Input("Tagline", "One line below the name.")] = ""
    industry: Annotated[Line, Input("Industry", is_required=True, facet="industry")] = ""
    founded: Annotated[Year, Input("Founded", "A year, such as 2021.", is_required=True)] = ""
    employees: Annotated[HeadCount, Input("Employees", "A number or a range, such as 11-50.", is_required=True)] = ""
    location: Annotated[Line, Input("Location", "Such as Tuas, Singapore.", is_required=True, facet="country")] = ""
    stage: Annotated[str, ChoiceField(STAGES), Input("Stage")] = optional()
    our_role: Annotated[Text, Input("What we did", "One or two sentences.", section=WORK)] = optional()
    partner: Annotated[str, MEMBER, Input("Partner", "The team member who led the work.")] = optional()
    support_area: Annotated[str, ChoiceField(tuple(area.title for area in SUPPORT_AREAS)), Input("Support area")] = (
        optional()
    )
    since: Annotated[Year, Input("Since", "A year, such as 2021.")] = optional()
    quote: Annotated[Text, Input("Quotation", "Without quotation marks.", section=QUOTATION)] = optional()
    quoted_name: Annotated[Line, Input("Name of the speaker")] = optional()
    quoted_role: Annotated[Line, Input("Role of the speaker", "Such as Co-founder & Chief Executive.")] = optional()
    description: Annotated[Text, Input("Description", section=STORY, is_required=True)] = ""
    detailed_description: Annotated[Text, Input("Detailed description", rows=8)] = ""
    founders: Annotated[Any, FOUNDERS, Input("Founders", "In the order shown on the page.")] = json_list()
    services: Annotated[Any, ListField(), Input("Services", LIST_HINT, section=LISTS)] = json_list()
    coverage_areas: Annotated[Any, ListField(), Input("Coverage areas", LIST_HINT)] = json_list()
    target_market: Annotated[Any, ListField(), Input("Target market", LIST_HINT)] = json_list()
    key_metrics: Annotated[Any, ListField(), Input("Key metrics", LIST_HINT)] = json_list()
    website_url: Annotated[WebUrl, Input("Website", "Beginning with https://", section=REACH)] = ""
    email: Annotated[Email, Input("Email")] = ""
    phone: Annotated[Phone, Input("Phone")] = ""
    legal_entity_name: Annotated[Line, Input("Legal entity name", section=LEGAL)] = ""
    registration_number: Annotated[Line, Input("Registration number")] = ""
    status: Annotated[
        str,
        ChoiceField((ACTIVE, INACTIVE, EXITED), if_blank=ACTIVE),
        Input("Status", "Only “Active” is shown to visitors.", section=RAIL),
    ] = Field(default=ACTIVE, index=True, sa_column_kwargs={"server_default": ACTIVE})
    is_featured: Annotated[Flag, Input("Featured", "Shown large, above the list of companies.")] = Field(
        default=False, sa_column_kwargs={"server_default": sa.false()}
    )
    exit_note: Annotated[
        LongLine,
        Input(
            "Exit",
            "Where the company is now, such as “Part of Garuda Foods since 2025”. Leave empty if it has not exited.",
        ),
    ] = optional()
    logo_url: Annotated[
        str,
        PictureField("logo", routes.PLACEHOLDER_COMPANY),
        Input("Logo", "Or paste an image link.", section=PICTURE),
    ] = ""
    mark_url: Annotated[
        str,
        PictureField("mark"),
        Input("Square mark", "For lists, if the logo is too wide for them. Or paste a link."),
    ] = optional()
    slug: Annotated[
        Slug,
        Input(
            "Page address",
            "The last part of the page’s address: lower-case letters, digits and hyphens.",
            is_required=True,
        ),
    ] = Field(unique=True)


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["companies"].c
