"""The shapes and rules of advisors: what visitors see, what staff fill in, and how the two are stored."""

from dataclasses import dataclass

from ..parsing import record_list, text_list, text_of


@dataclass(frozen=True)
class Stat:
    """One figure on an advisor's profile."""

    label: str = ""
    value: str = ""


@dataclass(frozen=True)
class Experience:
    """One position an advisor has held, as visitors read it."""

    role: str = ""
    company: str = ""
    period: str = ""
    description: str = ""
    achievements: tuple[str, ...] = ()


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
    """An advisor as their profile shows them; what has no value is empty. Testimonials are never shown."""

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
    """The stats in a stored value; what is not a list counts as none."""
    return tuple(
        Stat(label=text_of(item.get("label")), value=text_of(item.get("value"))) for item in record_list(value, "label")
    )


def experience_of(value: object) -> tuple[Experience, ...]:
    """The positions in a stored value; what is not a list counts as none."""
    return tuple(
        Experience(
            role=text_of(item.get("role")),
            company=text_of(item.get("company")),
            period=text_of(item.get("period")),
            description=text_of(item.get("description")),
            achievements=text_list(item.get("achievements")),
        )
        for item in record_list(value, "role")
    )


def services_of(value: object) -> tuple[Service, ...]:
    """The services in a stored value; what is not a list counts as none."""
    return tuple(
        Service(
            title=text_of(item.get("title")),
            description=text_of(item.get("description")),
            duration=text_of(item.get("duration")),
        )
        for item in record_list(value, "title")
    )
