"""What a card, a page and a row of the list show of a team member."""

from dataclasses import dataclass

from sitekit.records.pictures.addresses import Picture, picture_at, thumbnail_of
from sitekit.records.selection import computed


@dataclass(frozen=True)
class MemberCard:
    """A team member as the public lists show them."""

    slug: str = ""
    name: str = ""
    designation: str = ""
    bio: str = ""
    image_url: str = ""
    picture: Picture = computed(picture_at, "image_url", default=Picture())
    linkedin_url: str = ""
    email: str = ""
    display_order: int = 0
    expertise: tuple[str, ...] = ()


@dataclass(frozen=True)
class MemberPage:
    """A team member as their own page shows them; missing values are empty."""

    slug: str = ""
    name: str = ""
    designation: str = ""
    bio: str = ""
    detailed_bio: str = ""
    image_url: str = ""
    picture: Picture = computed(picture_at, "image_url", default=Picture())
    linkedin_url: str = ""
    email: str = ""
    achievements: tuple[str, ...] = ()
    expertise: tuple[str, ...] = ()


@dataclass(frozen=True)
class MemberRow:
    """A team member as the back office lists them."""

    id: int = 0
    slug: str = ""
    name: str = ""
    designation: str = ""
    email: str = ""
    image_url: str = computed(thumbnail_of, "image_url")
    display_order: int = 0
    is_active: bool = False
