"""The table of team members, with the form of its columns."""

from typing import Annotated, Any

from sqlmodel import Field, SQLModel

from sitekit.records.fields.field_type import RAIL, Input
from sitekit.records.fields.flag import Flag
from sitekit.records.fields.line import WEB_URL, Email, Line
from sitekit.records.fields.list import ListField
from sitekit.records.fields.text import Text
from sitekit.records.form_texts import LIST_HINT, Section
from sitekit.records.people import NOT_FILLED_IN, Order, PortraitUrl, order_field
from sitekit.records.record import Record, active_field, json_list

WHO = Section("Who they are", "The profile’s address is made from the name.")
STORY = Section("Their story", "The bio is shown on the card, the detailed bio on the profile.")
PICTURE = Section("Picture", "Shown on the card and on the profile.")


class TeamMember(Record, table=True):
    """A member of the core team. Only active rows are public. The slug is made from the name."""

    __tablename__ = "team_members"

    slug: str = Field(unique=True)
    name: Annotated[Line, Input("Name", section=WHO, is_required=True, attributes=NOT_FILLED_IN)]
    designation: Annotated[Line, Input("Designation", "Such as Partner, or Head of Growth.", is_required=True)] = ""
    email: Annotated[Email, Input("Email", is_required=True)] = ""
    linkedin_url: Annotated[str | None, WEB_URL, Input("LinkedIn URL", "Optional. Begins with https://")] = None
    bio: Annotated[Text, Input("Bio", section=STORY, is_required=True)] = ""
    detailed_bio: Annotated[Text, Input("Detailed bio", is_required=True, rows=6)] = ""
    expertise: Annotated[Any, ListField(), Input("Expertise", LIST_HINT)] = json_list()
    achievements: Annotated[Any, ListField(), Input("Achievements", LIST_HINT)] = json_list()
    is_active: Annotated[Flag, Input("Active", "Only active members are shown to visitors.", section=RAIL)] = (
        active_field()
    )
    display_order: Order = order_field()
    image_url: Annotated[PortraitUrl, PICTURE] = ""


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["team_members"].c
