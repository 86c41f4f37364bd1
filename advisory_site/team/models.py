"""The table of team members, with the form of its columns."""

from typing import Annotated, Any

from sqlmodel import Field, SQLModel

from ..content.backoffice import LIST_HINT
from ..records.form_fields import CommaList, Email, Flag, Line, Text, WebUrl
from ..records.inputs import RAIL, Input, Section
from ..records.people import NOT_FILLED_IN, Order, PortraitUrl, active_field, order_field
from ..records.record import Record, json_list

WHO = Section("Who they are", "The profile's address is made from the name.")
STORY = Section("Their story", "The bio is shown on the card, the detailed bio on the profile.")


class TeamMember(Record, table=True):
    """A member of the core team. Only active rows are public. The slug is made from the name."""

    __tablename__ = "team_members"

    slug: str = Field(unique=True)
    name: Annotated[Line, Input("Name", section=WHO, is_required=True, attributes=NOT_FILLED_IN)]
    designation: Annotated[Line, Input("Designation", "Such as Partner, or Head of Growth.", is_required=True)] = ""
    email: Annotated[Email, Input("Email", is_required=True)] = ""
    linkedin_url: Annotated[str | None, Input("LinkedIn URL", "Optional. Begins with https://", reads=WebUrl)] = None
    bio: Annotated[Text, Input("Bio", section=STORY, is_required=True)] = ""
    detailed_bio: Annotated[Text, Input("Detailed bio", is_required=True, rows=6)] = ""
    expertise: Annotated[Any, Input("Expertise", LIST_HINT, reads=CommaList)] = json_list()
    achievements: Annotated[Any, Input("Achievements", LIST_HINT, reads=CommaList)] = json_list()
    is_active: Annotated[Flag, Input("Active", "Only active members are shown to visitors.", section=RAIL)] = (
        active_field()
    )
    display_order: Order = order_field()
    image_url: PortraitUrl = ""


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["team_members"].c
