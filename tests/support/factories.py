"""Factories for records and form values; the defaults fill in what a test does not set."""

from itertools import count
from typing import Any, TypeVar

from sqlmodel import Session, SQLModel

from advisory_site.accounts.models import Profile, UserRole
from advisory_site.advisors.models import Advisor
from advisory_site.companies.models import Company
from advisory_site.core.permissions import Actor, Role
from advisory_site.db.database import now
from advisory_site.enquiries.models import Enquiry
from advisory_site.media.models import Media
from advisory_site.team.models import TeamMember

_numbers = count(1)
Record = TypeVar("Record", bound=SQLModel)

IMAGE = "https://images.example/portrait.webp"


def add_actor(session: Session, role: Role = Role.EMPLOYEE, **fields: Any) -> Actor:
    """Store a user with a role; returns the actor for services."""
    number = next(_numbers)
    profile = Profile(**{"email": f"person{number}@firm.example", "first_name": "Wei", "last_name": "Tan", **fields})
    session.add(profile)
    session.flush()
    assert profile.id is not None
    session.add(UserRole(user_id=profile.id, role=role))
    session.flush()
    return Actor(profile.id, role, now())


def add_company(session: Session, **fields: Any) -> Company:
    """Store a company, active by default."""
    number = next(_numbers)
    return _add(session, Company(**{"name": f"Company {number}", "slug": f"company-{number}", **fields}))


def add_member(session: Session, **fields: Any) -> TeamMember:
    """Store a team member, active by default."""
    number = next(_numbers)
    return _add(session, TeamMember(**{"name": f"Member {number}", "slug": f"member-{number}", **fields}))


def add_advisor(session: Session, **fields: Any) -> Advisor:
    """Store an advisor, active by default."""
    number = next(_numbers)
    return _add(session, Advisor(**{"name": f"Advisor {number}", "slug": f"advisor-{number}", **fields}))


def add_enquiry(session: Session, **fields: Any) -> Enquiry:
    """Store an enquiry, new by default."""
    number = next(_numbers)
    filled = {"first_name": "Ann", "last_name": "Lee", "email": f"ann{number}@example.com", "message": "Hello"}
    return _add(session, Enquiry(**{"submission_id": f"form-{number}", **filled, **fields}))


def add_picture(session: Session, **fields: Any) -> Media:
    """Store the row of an uploaded picture, with a description; its files are not there."""
    number = next(_numbers)
    filled = {
        "key": f"{number:032x}",
        "name": f"picture-{number}.jpg",
        "width": 1600,
        "height": 1200,
        "size": 250_000,
        "alt": "Two people at a table",
    }
    return _add(session, Media(**{**filled, **fields}))


def id_of(record: Company | TeamMember | Advisor | Enquiry | Media) -> int:
    """The id of a stored record."""
    assert record.id is not None
    return record.id


def company_form(**fields: Any) -> dict[str, Any]:
    """The values of a company form with its required fields filled in."""
    return {
        "name": "Kelp & Co",
        "slug": f"kelp-{next(_numbers)}",
        "description": "Farms kelp.",
        "industry": "Aquaculture",
        "founded": "2019",
        "employees": "11-50",
        "location": "Singapore",
        **fields,
    }


def member_form(**fields: Any) -> dict[str, Any]:
    """The values of a team dialog with its required fields filled in."""
    return {
        "name": "Mei Lin",
        "designation": "Partner",
        "email": "mei@firm.example",
        "image_url": IMAGE,
        "bio": "Builds companies.",
        "detailed_bio": "Has built three.",
        "is_active": True,
        **fields,
    }


def advisor_form(**fields: Any) -> dict[str, Any]:
    """The values of an advisor form with its required fields filled in."""
    return {
        "name": "Omar Aziz",
        "title": "Chair",
        "bio": "Chairs boards.",
        "image_url": IMAGE,
        "is_active": True,
        **fields,
    }


def _add(session: Session, record: Record) -> Record:
    session.add(record)
    session.flush()
    return record
