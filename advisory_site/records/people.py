"""Columns that the tables of people share."""

from typing import Annotated, Any

import sqlalchemy as sa
from sqlmodel import Field

from ..core import routes
from .form_fields import DisplayOrder, ImageUrl
from .inputs import Input, Picture
from .record import Publishing
from .references import Reference

PUBLISHING = Publishing("is_active", public=True, hidden=False)
MEMBER = Reference("team_members", PUBLISHING)

NOT_FILLED_IN = {"auto_complete": "off"}  # the browser would fill in the name of the user

Order = Annotated[
    int,
    Input(
        "Display order", "A whole number. The lowest comes first, a new one without a number last.", reads=DisplayOrder
    ),
]
PortraitUrl = Annotated[
    ImageUrl,
    Input(
        "Image URL",
        "The address of a portrait, or a path on this site.",
        is_required=True,
        picture=Picture("portrait", routes.PLACEHOLDER_PERSON),
    ),
]


def active_field() -> Any:
    """Whether a person is public; so by default."""
    return Field(default=True, index=True, sa_column_kwargs={"server_default": sa.true()})


def order_field() -> Any:
    """The number by which people are ordered."""
    return Field(default=0, sa_column_kwargs={"server_default": "0"})
