"""The dataclasses of team members: for visitors and for the form."""

from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.text import clean_text, one_line, shown_list, slugify_hyphenated, usable_slug
from ..records.form_fields import CommaList, DisplayOrder, Draft, Email, Flag, ImageUrl, Line, Text, WebUrl
from .models import TeamMember


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
    """A team member as their own page shows them; missing values are empty."""

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


@dataclass(frozen=True)
class MemberRow:
    """A team member as the back office lists them."""

    id: int = 0
    slug: str = ""
    name: str = ""
    designation: str = ""
    email: str = ""
    image_url: str = ""
    display_order: int = 0
    is_active: bool = False


@dataclass(frozen=True)
class MemberForm:
    """A team member as the dialog shows them: texts, and comma lists as one text.

    Its fields have the same names as those of `MemberDraft`, and so do the inputs.
    """

    id: int = 0
    version: int = 0
    name: str = ""
    designation: str = ""
    bio: str = ""
    detailed_bio: str = ""
    image_url: str = ""
    linkedin_url: str = ""
    email: str = ""
    display_order: int = 0
    is_active: bool = True
    achievements: str = ""
    expertise: str = ""


class MemberDraft(Draft):
    """The checked values of the member form. The slug is made from the name."""

    required: ClassVar[tuple[str, ...]] = (
        "name",
        "designation",
        "email",
        "image_url",
        "bio",
        "detailed_bio",
    )

    name: Line = ""
    designation: Line = ""
    bio: Text = ""
    detailed_bio: Text = ""
    image_url: ImageUrl = ""
    linkedin_url: WebUrl = ""
    email: Email = ""
    display_order: DisplayOrder = 0
    is_active: Flag = False
    achievements: CommaList = ()
    expertise: CommaList = ()

    def stored(self) -> dict[str, Any]:
        """The values of the record's columns; an empty LinkedIn address is stored as null."""
        return {**super().stored(), "linkedin_url": self.linkedin_url or None}


def slug_for(name: str) -> str:
    """The slug for a name, not checked for uniqueness."""
    return usable_slug(slugify_hyphenated(name), "member")


def form_of(member: TeamMember) -> MemberForm:
    """The form of a stored member. Line breaks are removed for one-line inputs, because browsers would remove them."""
    assert member.id is not None
    return MemberForm(
        id=member.id,
        version=member.version,
        name=one_line(member.name),
        designation=one_line(member.designation),
        bio=clean_text(member.bio),
        detailed_bio=clean_text(member.detailed_bio),
        image_url=one_line(member.image_url),
        linkedin_url=one_line(member.linkedin_url),
        email=one_line(member.email),
        display_order=member.display_order,
        is_active=member.is_active,
        achievements=shown_list(member.achievements),
        expertise=shown_list(member.expertise),
    )
