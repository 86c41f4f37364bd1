"""Factories for records and form values; the defaults fill in what a test does not set."""

from itertools import count
from typing import Any, TypeVar

from sqlmodel import Session, SQLModel

from advisory_site.advisors.models import Advisor
from advisory_site.articles.models import Article
from advisory_site.companies.models import Company
from advisory_site.enquiries.models import Enquiry, EnquiryEntry, EnquiryState, EntryCategory
from advisory_site.team.models import TeamMember
from sitekit.accounts.models import Profile, UserRole
from sitekit.base.db.database import now
from sitekit.base.permissions import Actor, Role
from sitekit.records.pictures.models import Media
from sitekit.records.proposals import Proposal

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


def add_article(session: Session, **fields: Any) -> Article:
    """Store an article, active by default."""
    number = next(_numbers)
    filled = {"name": f"Article {number}", "slug": f"article-{number}", "written_on": "2026-11-01", "text": "Words."}
    return _add(session, Article(**filled | fields))


def add_enquiry(session: Session, **fields: Any) -> Enquiry:
    """Store an enquiry: new, or handled if that has a time, by default."""
    number = next(_numbers)
    filled = {"first_name": "Ann", "last_name": "Lee", "email": f"ann{number}@example.com", "message": "Hello"}
    state = {"state": EnquiryState.HANDLED} if fields.get("handled_at") else {}
    return _add(session, Enquiry(**{"submission_id": f"form-{number}", **filled, **state, **fields}))


def add_entry(session: Session, enquiry: Enquiry, **fields: Any) -> EnquiryEntry:
    """Store an entry of an enquiry, a reply by default."""
    filled = {"category": EntryCategory.REPLY, "at": now(), "text": "Dear Ann, yes."}
    return _add(session, EnquiryEntry(**{"enquiry_id": id_of(enquiry), **filled, **fields}))


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


def add_draft(session: Session, record: Company | TeamMember | Advisor | None = None, **fields: Any) -> Proposal:
    """Store the draft of a record, or of a new company."""
    table = record.__tablename__ if record else "companies"
    filled = {"of_table": table, "record_id": record.id if record else None, "inputs": {"name": "Sea Grass"}}
    return _add(session, Proposal(**{**filled, **fields}))


def id_of(record: Company | TeamMember | Advisor | Enquiry | Media | Proposal) -> int:
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


def article_form(**fields: Any) -> dict[str, Any]:
    """The values of an article form with its required fields filled in."""
    return {
        "name": "What a year costs",
        "summary": "More than it says.",
        "text": "Money, mostly.",
        "written_on": "2026-11-01",
        "is_active": True,
        **fields,
    }


def _add(session: Session, record: Record) -> Record:
    session.add(record)
    session.flush()
    return record
