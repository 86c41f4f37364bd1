"""The stats, positions and services of an advisor: as stored, in the form, and as visitors see them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from sitekit.base.text import is_blank, one_line, record_list, text_list, text_of
from sitekit.records.fields.field_type import Input
from sitekit.records.fields.group import GroupField
from sitekit.records.fields.line import LongLine
from sitekit.records.fields.text import Text

from .passages import POINT, DescriptionPart, passages_of


@dataclass(frozen=True)
class AdvisorStat:
    """One figure on an advisor's profile."""

    label: Annotated[LongLine, Input("Label", "Such as: Boards served.")] = ""
    value: Annotated[LongLine, Input("Value", "Such as: 12.")] = ""


@dataclass(frozen=True)
class Position:
    """One position of an advisor, as visitors see it."""

    role: str = ""
    company: str = ""
    period: str = ""
    description: tuple[DescriptionPart, ...] = ()


@dataclass(frozen=True)
class PositionRow:
    """One position as the form shows it: the stored role is the position, the stored period the duration."""

    position: Annotated[LongLine, Input("Position")] = ""
    company: Annotated[LongLine, Input("Company")] = ""
    duration: Annotated[LongLine, Input("Duration", "Such as: 2018 to 2023.")] = ""
    description: Annotated[Text, Input("Description")] = ""


@dataclass(frozen=True)
class AdvisorService:
    """One service an advisor offers, as visitors see it."""

    title: str = ""
    description: str = ""
    duration: str = ""


@dataclass(frozen=True)
class ServiceRow:
    """One service as the form shows it: the price is read from the stored duration."""

    title: Annotated[LongLine, Input("Title")] = ""
    price: Annotated[LongLine, Input("Price", "What it costs, or how long it takes, such as: S$800 an hour.")] = ""
    description: Annotated[Text, Input("Description")] = ""


def stats_of(value: object) -> tuple[AdvisorStat, ...]:
    """The stats in a stored value; empty if it is not a list."""
    return tuple(
        AdvisorStat(text_of(item.get("label")), text_of(item.get("value"))) for item in record_list(value, "label")
    )


def positions_of(value: object) -> tuple[Position, ...]:
    """The positions in a stored value; empty if it is not a list."""
    return tuple(
        Position(row.position, row.company, row.duration, passages_of(row.description))
        for row in position_rows_of(value)
    )


def position_rows_of(value: object) -> tuple[PositionRow, ...]:
    """The positions in a stored value as the form shows them."""
    return tuple(
        PositionRow(
            position=text_of(item.get("role")),
            company=text_of(item.get("company")),
            duration=text_of(item.get("period")),
            description=_described(item),
        )
        for item in record_list(value, "role")
    )


def _described(position: Mapping[str, object]) -> str:
    """The description of a stored position, followed by the achievements of older records as list items."""
    description = text_of(position.get("description"))
    points = [f"{POINT} {one_line(achievement)}" for achievement in text_list(position.get("achievements"))]
    return "\n".join(([description] if not is_blank(description) else []) + points) if points else description


def _has_achievements(value: object) -> bool:
    """Whether a stored position has achievements, which the form shows in the description."""
    return any(text_list(item.get("achievements")) for item in record_list(value, "role"))


def _stored_position(row: PositionRow) -> dict[str, Any]:
    """A position as stored. Every save clears the achievements, because the form has them in the description."""
    return {
        "role": row.position,
        "company": row.company,
        "period": row.duration,
        "description": row.description,
        "achievements": [],
    }


def services_of(value: object) -> tuple[AdvisorService, ...]:
    """The services in a stored value; empty if it is not a list."""
    return tuple(AdvisorService(row.title, row.description, row.price) for row in service_rows_of(value))


def service_rows_of(value: object) -> tuple[ServiceRow, ...]:
    """The services in a stored value as the form shows them."""
    return tuple(
        ServiceRow(
            title=text_of(item.get("title")),
            price=text_of(item.get("duration")),
            description=text_of(item.get("description")),
        )
        for item in record_list(value, "title")
    )


def _stored_service(row: ServiceRow) -> dict[str, Any]:
    """A service as stored: the price in the form is stored as the duration that visitors see, too."""
    return {"title": row.title, "description": row.description, "price": row.price, "duration": row.price}


Stats = Annotated[
    Any,
    GroupField(of=AdvisorStat, rows_of=stats_of, one="Stat", add="Add stat"),
    Input("Stats", "A few figures at the top of the profile, such as 12 boards."),
]
Positions = Annotated[
    Any,
    GroupField(
        of=PositionRow,
        rows_of=position_rows_of,
        store=_stored_position,
        one="Position",
        add="Add experience",
        always_writes=True,
        note="Achievements are now lines in the description of their position, each beginning with “- ”. "
        "Visitors see them as a list, as before.",
        is_noted=_has_achievements,
    ),
    Input(
        "Experience",
        "Positions held, latest first. Lines of a description that begin with “- ” are shown to visitors as a list.",
    ),
]
Services = Annotated[
    Any,
    GroupField(
        of=ServiceRow,
        rows_of=service_rows_of,
        store=_stored_service,
        one="Service",
        add="Add service",
        always_writes=True,
    ),
    Input("Services", "What founders can ask of this advisor."),
]
