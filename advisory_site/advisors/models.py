"""The table of advisors, with the form of its columns."""

from typing import Annotated, Any

from sqlmodel import Field, SQLModel

from ..content.backoffice import LIST_HINT
from ..records.form_fields import CommaList, Email, Flag, ImageUrl, Line, LongLine, Slug, Text, WebUrl
from ..records.inputs import RAIL, Input, Picture, Section
from ..records.people import NOT_FILLED_IN, Order, PortraitUrl, active_field, order_field
from ..records.record import Record, json_list
from .groups import EXPERIENCE, SERVICES, STATS

ESSENTIALS = Section("The essentials", "Shown in the list of advisors and on the profile.")
STORY = Section("Their story", "The bio is shown on the card, the detailed bio on the profile.")
REACH = Section("Pictures and links", "Optional fields that are empty are not shown.")


class Advisor(Record, table=True):
    """A member of the advisory network. Only active rows are public; testimonials never are; no form edits them."""

    __tablename__ = "advisors"

    name: Annotated[Line, Input("Name", section=ESSENTIALS, is_required=True, attributes=NOT_FILLED_IN)]
    title: Annotated[Line, Input("Title", is_required=True)] = ""
    company: Annotated[Line, Input("Company")] = ""
    location: Annotated[Line, Input("Location")] = ""
    availability: Annotated[LongLine, Input("Availability", "Such as: Two days a month.")] = ""
    tagline: Annotated[LongLine, Input("Tagline", "One line below the name.")] = ""
    bio: Annotated[Text, Input("Bio", section=STORY, is_required=True)] = ""
    detailed_bio: Annotated[Text, Input("Detailed bio", rows=8)] = ""
    expertise: Annotated[
        Any, Input("Expertise", f"{LIST_HINT} The first three are shown on the card.", reads=CommaList)
    ] = json_list()
    cover_image_url: Annotated[
        ImageUrl,
        Input("Cover image URL", "A wide picture at the top of the profile.", section=REACH, picture=Picture("cover")),
    ] = ""
    email: Annotated[Email, Input("Email")] = ""
    linkedin_url: Annotated[WebUrl, Input("LinkedIn URL", "Beginning with https://")] = ""
    stats: Annotated[Any, STATS] = json_list()
    experience: Annotated[Any, EXPERIENCE] = json_list()
    services: Annotated[Any, SERVICES] = json_list()
    is_active: Annotated[Flag, Input("Active", "Only active advisors are shown to visitors.", section=RAIL)] = (
        active_field()
    )
    display_order: Order = order_field()
    image_url: PortraitUrl = ""
    slug: Annotated[
        Slug,
        Input(
            "Page address", "The last part of the profile's address. If you leave it empty, it is made from the name."
        ),
    ] = Field(unique=True)
    testimonials: Any = json_list()


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["advisors"].c
