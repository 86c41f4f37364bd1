"""Columns that the tables of people share."""

from typing import Annotated, Any

from sqlmodel import Field

from ..base import paths
from .fields.field_type import Input
from .fields.order import OrderField
from .fields.picture import PictureField

NOT_FILLED_IN = {"auto_complete": "off"}  # the browser would fill in the name of the user

Order = Annotated[
    int,
    OrderField(attributes={"input_mode": "numeric"}),
    Input("Display order", "Lowest first. Leave empty to add at the end."),
]
PortraitUrl = Annotated[
    str,
    PictureField("portrait", paths.PLACEHOLDER_PERSON),
    Input("Image URL", "The address of a portrait, or a path on this site.", is_required=True),
]


def order_field() -> Any:
    """The number by which people are ordered."""
    return Field(default=0, sa_column_kwargs={"server_default": "0"})
