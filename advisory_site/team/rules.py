"""The shapes and rules of team members: what visitors see and what staff fill in."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MemberCard:
    """A team member as the public lists show them."""

    slug: str = ""
    name: str = ""
    designation: str = ""
    bio: str = ""
    image_url: str = ""
    linkedin_url: str = ""
    email: str = ""
    display_order: int = 0
    expertise: tuple[str, ...] = ()


@dataclass(frozen=True)
class MemberPage:
    """A team member as their own page shows them; what has no value is empty."""

    slug: str = ""
    name: str = ""
    designation: str = ""
    bio: str = ""
    detailed_bio: str = ""
    image_url: str = ""
    linkedin_url: str = ""
    email: str = ""
    achievements: tuple[str, ...] = ()
    expertise: tuple[str, ...] = ()
