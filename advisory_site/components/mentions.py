"""What a page says of a record that has a page of its own."""

from dataclasses import dataclass

from sitekit.records.pictures.addresses import Picture, picture_at
from sitekit.records.selection import computed


@dataclass(frozen=True)
class Mention:
    """A record by its name; empty if there is none."""

    slug: str = ""
    name: str = ""


@dataclass(frozen=True)
class Partner(Mention):
    """A member of the team, such as the one who led the work for a company."""

    designation: str = ""
    picture: Picture = computed(picture_at, "image_url", default=Picture())
