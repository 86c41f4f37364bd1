"""A site under attack: its people, its marked rows, and every call that a stranger can make."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from reflex_base.registry import RegistrationContext

from advisory_site.companies.models import Company
from advisory_site.enquiries.models import Enquiry
from sitekit.base import settings
from sitekit.base.db.database import engine, now, transaction
from sitekit.base.permissions import Actor, Role
from sitekit.records import preview_links
from tests.conftest import use
from tests.e2e.conftest import Site, serving
from tests.support import factories
from tests.support.people import person

MARK = "only-for-staff-7c1e"


def handlers() -> list[tuple[str, list[dict[str, Any]]]]:
    """Every handler in the registry, with payloads that its own page could send and one that none would."""
    found: list[tuple[str, list[dict[str, Any]]]] = []
    for name, registered in RegistrationContext.get().event_handlers.items():
        if registered.states and registered.states[0].__module__.startswith("tests."):
            continue
        arguments = [p for p in inspect.signature(registered.handler.fn).parameters.values() if p.name != "self"]
        fitting = [{p.name: plausible(p, record) for p in arguments} for record in RECORDS]
        bent = {argument.name: {"a": [1]} for argument in arguments}
        found.append((name, [*fitting, bent, {"no": "such argument"}]))
    unknown: list[tuple[str, list[dict[str, Any]]]] = [
        ("reflex___state____state.no_such_state.act", [{}]),
        ("", [{"x": "a-stranger-walks-in-9"}]),
    ]
    # Those that end the caller's own session come last, so that it serves for all the others.
    return sorted(found + unknown, key=lambda one: "sign_out" in one[0])


# The id of the first record of each kind and of the first admin, and the id of the employee.
RECORDS = (1, 4)
FORM = dict.fromkeys(
    ("name", "slug", "description", "industry", "founded", "employees", "location", "designation", "bio",
     "detailed_bio", "title", "first_name", "last_name", "firstName", "lastName", "message", "tagline", "reply", "note",
     "answer"),
    "changed",
) | {
    "record": "1",
    "owner": "4",
    "pmf": "4",
    "email": "stranger@elsewhere.example",
    "password": "a-stranger-walks-in-9",
    "confirm_password": "a-stranger-walks-in-9",
    "image_url": "https://elsewhere.example/x.png",
    "role": "admin",
    "days": "14",
}  # fmt: skip


def plausible(parameter: inspect.Parameter, record: int) -> Any:
    """A value such as the page would send."""
    kinds: dict[str, Any] = {"form_data": FORM, "role": "admin", "vars": {}, "hashes": [], "value": "admin"}
    if parameter.name in kinds:
        return kinds[parameter.name]
    by_type = {dict: FORM, list: [str(record)], int: record, str: str(record), bool: True, float: 1.0}
    return next((value for kind, value in by_type.items() if kind.__name__ in str(parameter.annotation)), str(record))


@dataclass(frozen=True)
class Target:
    """The site under attack, and the people on it."""

    site: Site
    admin: int
    employee: int
    demoted: int


@contextmanager
def attackable(folder: Path) -> Iterator[Target]:
    """The production build with the demo firm, two admins, an employee, a demoted admin, and marked rows."""
    with (
        # The events of a network are limited with its sockets, and those of an attack are to be handled at once.
        serving(folder, SIGN_UP="closed", SOCKETS_PER_ADDRESS="10000") as site,
        pytest.MonkeyPatch.context() as patch,
    ):
        use(patch, folder)
        person(f"{MARK}@northstrait.example", Role.MANAGER)
        admin = person("boss@northstrait.example", Role.ADMIN)
        employee, demoted = person("employee@northstrait.example"), person("demoted@northstrait.example")
        assert employee in RECORDS
        _mark_rows()
        share_draft(admin)
        yield Target(site, admin, employee, demoted)
        engine().dispose()
    settings.get_settings.cache_clear()


def _mark_rows() -> None:
    """Put a mark into records that no visitor may see."""
    with transaction() as session:
        session.connection().execute(sa.update(Company).where(sa.text("status <> 'Active'")).values(tagline=MARK))
        session.add(
            Enquiry(submission_id=MARK, first_name=MARK, last_name=MARK, email=f"{MARK}@x.example", message=MARK)
        )


def share_draft(admin: int) -> tuple[int, str]:
    """Store a marked draft, and share it; returns its id, and the secret of the link."""
    with transaction() as session:
        draft = factories.id_of(factories.add_draft(session, inputs={"name": MARK, "tagline": MARK}))
        actor = Actor(admin, Role.ADMIN, now())
        return draft, preview_links.share(session, actor, draft, preview_links.ShareData(days="14"))
