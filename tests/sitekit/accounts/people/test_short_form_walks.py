"""Every form that is sent in one piece: opened, it is as in a new tab, whatever the same tab did before.

The forms of records walk in sitekit/admin/test_form_walks.py. The walks are random, and the same in every run: their
number is the seed.
"""

import inspect
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import reflex as rx

from advisory_site import routes
from advisory_site.advisory_site import PAGES
from advisory_site.companies.service import COMPANIES
from advisory_site.enquiries.contact.state import ContactState
from sitekit.accounts.sessions import auth_state
from sitekit.accounts.sessions.reauthentication_dialog import ReauthenticationState
from sitekit.admin.form_state import FormState
from sitekit.app.page import Page
from sitekit.app.site_app import SiteApp
from sitekit.base import paths
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Actor, Role
from sitekit.records import drafts
from sitekit.records.pictures.models import Media
from sitekit.server.framework.event_marks import access_of
from tests.conftest import on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient
from tests.support.people import PASSWORD, person, signed_in
from tests.support.staff import STORED

pytestmark = on_sqlite

STEPS = 15
# Numbers that only grow, for the browser to see a change; and the last message that arrived, which each form knows by
# its own id.
NOT_SHOWN = {"revision", "answered", "times_refused", "times_turned", "times_sent", "saves"}
NOT_SHOWN |= {"times_shown", "times_asked", "answers"}
NOT_SHOWN |= {"submission_id", "accepted", "accepted_at"}
NOT_SHOWN |= {"frame", "_pass", "_pass_at"}  # each tab has a pass of its own
TEXTS = [
    "",
    " ",
    "Ann",
    "ann@",
    "ann@northstrait.example",
    "employee",
    PASSWORD,
    "123",
    "a quiet morning 17",
    "<b>\x00</b>",
    "é" * 300,
]
ROUTES = {
    "ContactState": routes.CONTACT,
    "AuthPageState": paths.AUTH,
    "SendAgainState": paths.AUTH,
    "ForgotState": paths.AUTH_FORGOT,
    "ResetState": paths.AUTH_RESET,
    "VerifyState": paths.AUTH_VERIFY,
    "InvitationState": paths.AUTH_INVITATION,
    "InviteState": paths.ADMIN_INVITATIONS,
    "EmailChangeState": paths.AUTH_EMAIL,
    "EmailState": paths.ADMIN_PROFILE,
    "NamesState": paths.ADMIN_PROFILE,
    "PasswordState": paths.ADMIN_PROFILE,
    "ChallengeState": paths.AUTH,
    "AddAppState": paths.ADMIN_TWO_STEP,
    "ConfirmAppState": paths.ADMIN_TWO_STEP,
    "AddPasskeyState": paths.ADMIN_TWO_STEP,
    "RenameFactorState": paths.ADMIN_TWO_STEP,
    "PersonalDataState": paths.ADMIN_PERSONAL_DATA,
    "PictureState": paths.ADMIN_MEDIA,
    "ReplyState": routes.ADMIN_ENQUIRY,
    "AddNoteState": routes.ADMIN_ENQUIRY,
    "AddAnswerState": routes.ADMIN_ENQUIRY,
    "WaitState": routes.ADMIN_ENQUIRY,
    "StageOwnersState": routes.ADMIN_STAGE_OWNERS,
    "PreviewState": paths.ADMIN_PREVIEW,
}
FIELDS = ["first_name", "last_name", "firstName", "lastName", "email", "message", "stage"]
FIELDS += ["password", "confirm_password", "current_password", "name", "proof", "code"]
FIELDS += ["addresses", "role", "reply", "note", "answer", "until", "pmf", "days"]


def all_states(below: type[rx.State] = rx.State) -> Iterator[type[rx.State]]:
    for state in below.__subclasses__():
        if state.__module__.startswith(("advisory_site.", "sitekit.")):
            yield state
        yield from all_states(state)


def sends(handler: Any) -> bool:
    return hasattr(handler.fn, "__once__")


def forms() -> list[type[rx.State]]:
    """Every state with a form, but those of records, and that of a dialog without a page, which closing it clears."""
    found = {state for state in all_states() if any(map(sends, state.event_handlers.values()))}
    return sorted(
        {one for one in found | {ContactState} if not issubclass(one, (FormState, ReauthenticationState))},
        key=lambda one: one.__name__,
    )


def page_of(state: type[rx.State]) -> Page:
    """The page that shows a form."""
    return next(page for page in PAGES if page.route == ROUTES[state.__name__])


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(_seconds: float) -> None:
        return

    monkeypatch.setattr(auth_state, "delay_response", at_once)


class Walk:
    """One tab that does one random thing after another with a form, and finds it as a new tab does."""

    def __init__(self, app: SiteApp, state: type[rx.State], seed: int) -> None:
        self.app, self.state, self.chance = app, state, random.Random(seed)
        self.is_staff = page_of(state).route.startswith(paths.ADMIN)
        self.user = person("walker@northstrait.example", Role.ADMIN)
        with transaction() as session:
            session.add(Media(key="0a" * 16, name="me.jpg", width=400, height=500, size=1))
            self.enquiry = str(factories.id_of(factories.add_enquiry(session)))
            draft = drafts.save(session, Actor(self.user, Role.ADMIN), COMPANIES, 0, {"name": "Kelp"})
        assert str(draft) == self.enquiry  # so that the page of either has the same id
        self.tab = self.new_tab()

    def new_tab(self) -> EventClient:
        tab = EventClient(self.app)
        if self.is_staff:
            stored = signed_in(self.user).to_json()
            tab.send("reflex___state____state.hydrate_and_load", vars={STORED: stored})
        return tab

    def open(self, tab: EventClient, query: dict[str, str]) -> dict[str, Any]:
        """What a tab shows once it has opened the form's page."""
        page = page_of(self.state)
        for event in page.on_load:
            tab.send(event, path=page.route, query={"id": self.enquiry} | query)
        return {name: value for name, value in tab.vars(self.state).items() if name not in NOT_SHOWN}

    def step_open(self) -> None:
        query = self.chance.choice(
            [{}, {"token": "x" * 43}, {"card": "sign-up"}, {"open": "1"}, {"invite": "new"}, {"id": "9"}]
        )
        assert self.open(self.tab, query) == self.open(self.new_tab(), query)

    def step_act(self) -> None:
        """Press whatever can be pressed: send the form, look at a field, turn to the other card."""
        name = self.chance.choice([name for name, one in self.state.event_handlers.items() if access_of(one.fn)])
        typed = {field: self.chance.choice(TEXTS) for field in FIELDS if self.chance.random() < 0.9}
        typed["record"] = self.enquiry
        payloads: dict[str, Any] = {"form_data": typed, "typed": typed, "name": self.chance.choice(FIELDS), "edit": 1}
        payloads |= {
            "text": "me",
            "picture": 2,
            "other": 1,
            "factor": 1,
            "request": "a request",
            "response": "{}",
            "link": 1,
        }
        payloads["file"] = "personal data as JSON"
        handler = self.state.event_handlers[name]
        wanted = inspect.signature(handler.fn).parameters
        reply = self.tab.send(handler, **{key: payloads[key] for key in wanted if key in payloads})
        assert not reply.errors

    def step_fill_in_rightly(self) -> None:
        """Send what is accepted, as far as the form can be."""
        names = {"first_name": "Ann", "last_name": "Lim", "firstName": "Ann", "lastName": "Lim"}
        words = {
            "password": PASSWORD,
            "confirm_password": PASSWORD,
            "current_password": PASSWORD,
            "message": "Hello",
            "role": "manager",
            "name": "Phone",
            "proof": PASSWORD,
            "code": "123456",
            "record": self.enquiry,
            "reply": "Tuesday at ten",
            "note": "Call her",
            "answer": "Fine",
            "days": "14",
        }
        email = f"ann{self.chance.randrange(99)}@northstrait.example"
        typed = names | words | {"email": email, "addresses": f"{email}, bad@"}
        for handler in self.state.event_handlers.values():
            if sends(handler) or handler.fn is ContactState.send.fn:
                assert not self.tab.send(handler, form_data=typed).errors


@pytest.mark.spec("AUTH-1", "CON-4", "ADM-4")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("state", forms(), ids=lambda state: state.__name__)
def test_reopening_a_form_resets_it_after_any_sequence_of_events(
    app: SiteApp, database_dir: object, state: type[rx.State], seed: int
) -> None:
    walk = Walk(app, state, seed)
    steps: list[Callable[[], None]] = [walk.step_act, walk.step_fill_in_rightly, walk.step_act, walk.step_open]
    for _ in range(STEPS):
        walk.chance.choice(steps)()
    walk.step_open()
