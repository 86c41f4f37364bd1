"""The dataclasses of advisors: for visitors, for the form, and how both are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.text import clean_text, one_line, record_list, shown_list, slugify_plain, text_of, usable_slug
from ..records.form_fields import (
    CommaList,
    DisplayOrder,
    Draft,
    Email,
    Flag,
    ImageUrl,
    Line,
    LongLine,
    Row,
    Rows,
    Slug,
    Text,
    WebUrl,
)
from .models import Advisor
from .positions import Experience, Position, PositionRow, moved_achievements, positions_of, stored_experience


@dataclass(frozen=True)
class Stat:
    """One figure on an advisor's profile."""

    label: str = ""
    value: str = ""


@dataclass(frozen=True)
class Service:
    """One service an advisor offers, as visitors read it."""

    title: str = ""
    description: str = ""
    duration: str = ""


@dataclass(frozen=True)
class AdvisorCard:
    """An advisor as the public list shows them."""

    slug: str = ""
    name: str = ""
    title: str = ""
    bio: str = ""
    image_url: str = ""
    linkedin_url: str = ""
    expertise: tuple[str, ...] = ()


@dataclass(frozen=True)
class AdvisorPage:
    """An advisor as their profile shows them; missing values are empty. Testimonials are never shown."""

    slug: str = ""
    name: str = ""
    title: str = ""
    company: str = ""
    location: str = ""
    tagline: str = ""
    bio: str = ""
    detailed_bio: str = ""
    image_url: str = ""
    cover_image_url: str = ""
    linkedin_url: str = ""
    email: str = ""
    availability: str = ""
    expertise: tuple[str, ...] = ()
    stats: tuple[Stat, ...] = ()
    experience: tuple[Experience, ...] = ()
    services: tuple[Service, ...] = ()


def stats_of(value: object) -> tuple[Stat, ...]:
    """The stats in a stored value; empty if it is not a list."""
    return tuple(
        Stat(label=text_of(item.get("label")), value=text_of(item.get("value"))) for item in record_list(value, "label")
    )


def services_of(value: object) -> tuple[Service, ...]:
    """The services in a stored value; empty if it is not a list."""
    return tuple(
        Service(
            title=text_of(item.get("title")),
            description=text_of(item.get("description")),
            duration=text_of(item.get("duration")),
        )
        for item in record_list(value, "title")
    )


@dataclass(frozen=True)
class AdvisorRow:
    """An advisor as a card of the back office shows them, with the first tags and the number of others."""

    id: int = 0
    slug: str = ""
    name: str = ""
    title: str = ""
    company: str = ""
    bio: str = ""
    image_url: str = ""
    linkedin_url: str = ""
    display_order: int = 0
    is_active: bool = False
    tags: tuple[str, ...] = ()
    more_tags: int = 0


@dataclass(frozen=True)
class Offer:
    """One service as the form shows it: the price is read from the stored duration."""

    title: str = ""
    description: str = ""
    price: str = ""


@dataclass(frozen=True)
class AdvisorForm:
    """An advisor as the form shows them: texts, expertise as one text, and the three repeating groups.

    `moved_achievements` is the number of positions whose stored achievements the form shows in the description.
    Its fields have the same names as those of `AdvisorDraft`, and so do the inputs.
    """

    id: int = 0
    version: int = 0
    slug: str = ""
    name: str = ""
    title: str = ""
    company: str = ""
    location: str = ""
    tagline: str = ""
    bio: str = ""
    detailed_bio: str = ""
    image_url: str = ""
    cover_image_url: str = ""
    linkedin_url: str = ""
    email: str = ""
    availability: str = ""
    display_order: int = 0
    is_active: bool = True
    expertise: str = ""
    stats: tuple[Stat, ...] = ()
    experience: tuple[Position, ...] = ()
    services: tuple[Offer, ...] = ()
    moved_achievements: int = 0


class StatRow(Row):
    """One figure in the form."""

    label: LongLine = ""
    value: LongLine = ""


class OfferRow(Row):
    """One service in the form."""

    title: LongLine = ""
    description: Text = ""
    price: LongLine = ""


class AdvisorDraft(Draft):
    """The checked values of the advisor form. An empty slug is made from the name."""

    required: ClassVar[tuple[str, ...]] = ("name", "title", "bio", "image_url")

    slug: Slug = ""
    name: Line = ""
    title: Line = ""
    company: Line = ""
    location: Line = ""
    tagline: LongLine = ""
    bio: Text = ""
    detailed_bio: Text = ""
    image_url: ImageUrl = ""
    cover_image_url: ImageUrl = ""
    linkedin_url: WebUrl = ""
    email: Email = ""
    availability: LongLine = ""
    display_order: DisplayOrder = 0
    is_active: Flag = False
    expertise: CommaList = ()
    stats: Rows[StatRow] = ()
    experience: Rows[PositionRow] = ()
    services: Rows[OfferRow] = ()

    def stored(self) -> dict[str, Any]:
        """The values of the record's columns, as the public page reads them."""
        return {
            **super().stored(),
            "experience": stored_experience(self.experience),
            "services": stored_services(self.services),
        }

    def rewritten(self, advisor: Advisor) -> dict[str, Any]:
        """The groups that every save writes in the newest format, changed or not.

        A stored value that is not a list is read as empty and stays as it is until there are rows to store.
        """
        stored = self.stored()
        groups = ("experience", "services")
        return {name: stored[name] for name in groups if stored[name] or isinstance(getattr(advisor, name), list)}


def stored_services(rows: Sequence[OfferRow]) -> list[dict[str, Any]]:
    """Services as stored: the price in the form is stored as the duration that visitors see."""
    return [
        {"title": row.title, "description": row.description, "price": row.price, "duration": row.price} for row in rows
    ]


def slug_for(name: str) -> str:
    """The slug for a name, not checked for uniqueness."""
    return usable_slug(slugify_plain(name), "advisor")


def form_of(advisor: Advisor) -> AdvisorForm:
    """The form of a stored advisor. Line breaks are removed for one-line inputs, because browsers would remove them."""
    assert advisor.id is not None
    return AdvisorForm(
        moved_achievements=moved_achievements(advisor.experience),
        id=advisor.id,
        version=advisor.version,
        slug=one_line(advisor.slug),
        name=one_line(advisor.name),
        title=one_line(advisor.title),
        company=one_line(advisor.company),
        location=one_line(advisor.location),
        tagline=one_line(advisor.tagline),
        bio=clean_text(advisor.bio),
        detailed_bio=clean_text(advisor.detailed_bio),
        image_url=one_line(advisor.image_url),
        cover_image_url=one_line(advisor.cover_image_url),
        linkedin_url=one_line(advisor.linkedin_url),
        email=one_line(advisor.email),
        availability=one_line(advisor.availability),
        display_order=advisor.display_order,
        is_active=advisor.is_active,
        expertise=shown_list(advisor.expertise),
        stats=tuple(Stat(one_line(stat.label), one_line(stat.value)) for stat in stats_of(advisor.stats)),
        experience=positions_of(advisor.experience),
        services=tuple(
            Offer(one_line(offered.title), offered.description, one_line(offered.duration))
            for offered in services_of(advisor.services)
        ),
    )
