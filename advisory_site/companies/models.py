"""The table of companies, with the form of its columns."""

from dataclasses import dataclass
from typing import Annotated, Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from ..content.backoffice import LIST_HINT
from ..content.support import SUPPORT_AREAS
from ..core import routes
from ..core.text import is_blank, text_of
from ..records.form_fields import (
    CommaList,
    Email,
    Flag,
    HeadCount,
    ImageUrl,
    Line,
    LongLine,
    Phone,
    Slug,
    Text,
    WebUrl,
    Year,
)
from ..records.inputs import RAIL, Group, Input, Picture, Section
from ..records.people import MEMBER
from ..records.record import Record, json_list

ACTIVE = "Active"
INACTIVE = "Inactive"
EXITED = "Exited"
STAGES = ("Seed", "Series A", "Series B", "Series C", "Growth")

ESSENTIALS = Section("The essentials", "Shown in the list of companies and on the company's own page.")
WORK = Section("What the firm did", "Optional. The company's page begins with it.")
QUOTATION = Section("A quotation", "Optional. What a founder says about the work, shown with their name and role.")
STORY = Section("The story", "The description is shown on the card, the detailed one on the company's own page.")
LISTS = Section("What they do", "Each of these is shown as a list.")
REACH = Section("Where to find them", "Optional. Empty fields are not shown.")
LEGAL = Section("Legal details", "Shown in the facts beside the text.")


@dataclass(frozen=True)
class Founder:
    """One founder of a company. The name may be long, because older records have all founders in one text."""

    name: Annotated[LongLine, Input("Founder's name")] = ""
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


FOUNDERS = Group(
    "Founders",
    "In the order shown on the page.",
    of=Founder,
    read=founders_of,
    one="Founder",
    add="Add founder",
    at_least=1,
)


def optional() -> Any:
    """A column of text that the release before does not write."""
    return Field(default="", sa_column_kwargs={"server_default": ""})


class Company(Record, table=True):
    """A portfolio company. Only rows whose status is exactly 'Active' are public."""

    __tablename__ = "companies"

    name: Annotated[Line, Input("Name", section=ESSENTIALS, is_required=True)]
    tagline: Annotated[LongLine, Input("Tagline", "One line below the name.")] = ""
    industry: Annotated[Line, Input("Industry", is_required=True)] = ""
    founded: Annotated[Year, Input("Founded", "A year, such as 2021.", is_required=True)] = ""
    employees: Annotated[HeadCount, Input("Employees", "A number or a range, such as 11-50.", is_required=True)] = ""
    location: Annotated[Line, Input("Location", is_required=True)] = ""
    stage: Annotated[Line, Input("Stage", choices=STAGES)] = optional()
    our_role: Annotated[Text, Input("What we did", "One or two sentences.", section=WORK)] = optional()
    partner: Annotated[Line, Input("Partner", "The member of the team who led the work.", refers_to=MEMBER)] = (
        optional()
    )
    support_area: Annotated[Line, Input("Support area", choices=tuple(area.title for area in SUPPORT_AREAS))] = (
        optional()
    )
    since: Annotated[Year, Input("Since", "A year, such as 2021.")] = optional()
    quote: Annotated[Text, Input("Quotation", "Without quotation marks.", section=QUOTATION)] = optional()
    quoted_name: Annotated[Line, Input("Name of the speaker")] = optional()
    quoted_role: Annotated[Line, Input("Role of the speaker", "Such as Co-founder & Chief Executive.")] = optional()
    description: Annotated[Text, Input("Description", section=STORY, is_required=True)] = ""
    detailed_description: Annotated[Text, Input("Detailed description", rows=8)] = ""
    founders: Annotated[Any, FOUNDERS] = json_list()
    services: Annotated[Any, Input("Services", LIST_HINT, section=LISTS, reads=CommaList)] = json_list()
    coverage_areas: Annotated[Any, Input("Coverage areas", LIST_HINT, reads=CommaList)] = json_list()
    target_market: Annotated[Any, Input("Target market", LIST_HINT, reads=CommaList)] = json_list()
    key_metrics: Annotated[Any, Input("Key metrics", LIST_HINT, reads=CommaList)] = json_list()
    website_url: Annotated[WebUrl, Input("Website", "Beginning with https://", section=REACH)] = ""
    email: Annotated[Email, Input("Email")] = ""
    phone: Annotated[Phone, Input("Phone")] = ""
    legal_entity_name: Annotated[Line, Input("Legal entity name", section=LEGAL)] = ""
    registration_number: Annotated[Line, Input("Registration number")] = ""
    status: Annotated[
        Line,
        Input(
            "Status",
            "Only 'Active' is shown to visitors.",
            section=RAIL,
            if_blank=ACTIVE,
            choices=(ACTIVE, INACTIVE, EXITED),
        ),
    ] = Field(default=ACTIVE, index=True, sa_column_kwargs={"server_default": ACTIVE})
    is_featured: Annotated[Flag, Input("Featured", "Shown large, above the list of companies.")] = Field(
        default=False, sa_column_kwargs={"server_default": sa.false()}
    )
    exit_note: Annotated[
        LongLine,
        Input(
            "Exit", "Where the company is now, such as 'Part of Garuda Foods since 2025'. Empty if it has not exited."
        ),
    ] = optional()
    logo_url: Annotated[
        ImageUrl,
        Input(
            "Logo",
            "The address of an image, or a path on this site.",
            picture=Picture("mark", routes.PLACEHOLDER_COMPANY),
        ),
    ] = ""
    slug: Annotated[
        Slug,
        Input(
            "Page address",
            "The last part of the page's address: lower-case letters, digits and hyphens.",
            is_required=True,
        ),
    ] = Field(unique=True)


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["companies"].c
