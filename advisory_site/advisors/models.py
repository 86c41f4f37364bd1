"""The table of advisors, with the form of its columns."""

from typing import Annotated, Any

from sqlmodel import Field, SQLModel

from sitekit.records.fields.field_type import RAIL, Input
from sitekit.records.fields.flag import Flag
from sitekit.records.fields.line import Email, Line, LongLine, Slug, WebUrl
from sitekit.records.fields.list import ListField
from sitekit.records.fields.picture import PictureField
from sitekit.records.fields.text import Text
from sitekit.records.form_texts import LIST_HINT, Section
from sitekit.records.people import NOT_FILLED_IN, Order, PortraitUrl, order_field
from sitekit.records.record import Record, active_field, json_list

from .groups import Positions, Services, Stats

ESSENTIALS = Section("The essentials", "The card shows the name and title; its own page shows everything.")
STORY = Section("Their story", "The bio is shown on the card, the detailed bio on the profile.")
REACH = Section("Email and links", "Optional fields that are empty are not shown.")
PICTURE = Section("Pictures and address", "The portrait stands on the card and on the profile.")


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
    expertise: Annotated[Any, ListField(), Input("Expertise", LIST_HINT)] = json_list()
    email: Annotated[Email, Input("Email", section=REACH)] = ""
    linkedin_url: Annotated[WebUrl, Input("LinkedIn URL", "Beginning with https://")] = ""
    stats: Stats = json_list()
    experience: Positions = json_list()
    services: Services = json_list()
    is_active: Annotated[Flag, Input("Active", "Only active advisors are shown to visitors.", section=RAIL)] = (
        active_field()
    )
    display_order: Order = order_field()
    image_url: Annotated[PortraitUrl, PICTURE] = ""
    cover_image_url: Annotated[
        str, PictureField("cover"), Input("Cover image URL", "A wide picture at the top of the profile.")
    ] = ""
    slug: Annotated[
        Slug,
        Input("Page address", "The last part of the profile’s address. If empty, it is made from the name."),
    ] = Field(unique=True)
    testimonials: Any = json_list()


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["advisors"].c
