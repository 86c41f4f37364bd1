"""What a card, a page and a row of the list show of an advisor."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sitekit.base.text import fold, text_list
from sitekit.records.pictures.addresses import Picture, picture_at, thumbnail_of
from sitekit.records.selection import computed

from .. import routes
from .groups import AdvisorService, AdvisorStat, Position, positions_of, services_of

TAGS_SHOWN = 3


def first_tags(value: object) -> tuple[str, ...]:
    """The tags of a stored expertise that a row shows."""
    return text_list(value)[:TAGS_SHOWN]


def more_tags(value: object) -> int:
    """The number of the other tags."""
    return max(0, len(text_list(value)) - TAGS_SHOWN)


@dataclass(frozen=True)
class Tag:
    """A field of expertise on a profile, with the address of the list of all who have it; empty without another one."""

    field: str = ""
    href: str = ""


def tags_of(expertise: Iterable[str], shared: Collection[str]) -> list[Tag]:
    """The tags of an advisor; `shared` are the fields that other advisors have, too, in any case of letters."""
    others = {fold(field) for field in shared}
    return [Tag(field, routes.advisors_with(field) if fold(field) in others else "") for field in expertise]


@dataclass(frozen=True)
class AdvisorCard:
    """An advisor as the public list shows them."""

    slug: str = ""
    name: str = ""
    title: str = ""
    bio: str = ""
    image_url: str = ""
    picture: Picture = computed(picture_at, "image_url", default=Picture())
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
    picture: Picture = computed(picture_at, "image_url", default=Picture())
    cover: Picture = computed(picture_at, "cover_image_url", default=Picture())
    linkedin_url: str = ""
    email: str = ""
    availability: str = ""
    expertise: tuple[str, ...] = ()
    stats: tuple[AdvisorStat, ...] = ()
    experience: tuple[Position, ...] = computed(positions_of, "experience", default=())
    services: tuple[AdvisorService, ...] = computed(services_of, "services", default=())


@dataclass(frozen=True)
class AdvisorRow:
    """An advisor as a card of the back office shows them, with the first tags and the number of others."""

    id: int = 0
    slug: str = ""
    name: str = ""
    title: str = ""
    company: str = ""
    bio: str = ""
    image_url: str = computed(thumbnail_of, "image_url")
    linkedin_url: str = ""
    display_order: int = 0
    is_active: bool = False
    tags: tuple[str, ...] = computed(first_tags, "expertise", default=())
    more_tags: int = computed(more_tags, "expertise", default=0)
