"""Every form that is sent in one piece: opened, it is as in a new tab, whatever the same tab did before.

The forms of records walk in backoffice/test_form_walks.py. The walks are random, and the same in every run: their
number is the seed.
"""

import inspect
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import reflex as rx

from advisory_site.accounts import auth_state
from advisory_site.accounts.proof_dialog import ProofState
from advisory_site.advisory_site import PAGES
from advisory_site.asgi import Page, Site
from advisory_site.backoffice.form_state import FormState
from advisory_site.core import routes
from advisory_site.core.permissions import Role
from advisory_site.db.database import transaction
from advisory_site.enquiries.contact_state import ContactState
from advisory_site.framework.event_marks import access_of
from advisory_site.media.models import Media
from tests.conftest import on_sqlite
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
    "AuthPageState": routes.AUTH,
    "SendAgainState": routes.AUTH,
    "ForgotState": routes.AUTH_FORGOT,
    "ResetState": routes.AUTH_RESET,
    "VerifyState": routes.AUTH_VERIFY,
    "InvitationState": routes.AUTH_INVITATION,
    "InviteState": routes.ADMIN_INVITATIONS,
    "EmailChangeState": routes.AUTH_EMAIL,
    "EmailState": routes.ADMIN_PROFILE,
    "NamesState": routes.ADMIN_PROFILE,
    "PasswordState": routes.ADMIN_PROFILE,
    "ChallengeState": routes.AUTH,
    "AddAppState": routes.ADMIN_TWO_STEP,
    "ConfirmAppState": routes.ADMIN_TWO_STEP,
    "AddPasskeyState": routes.ADMIN_TWO_STEP,
    "RenameFactorState": routes.ADMIN_TWO_STEP,
    "PersonalDataState": routes.ADMIN_PERSONAL_DATA,
    "PictureState": routes.ADMIN_MEDIA,
}
FIELDS = ["first_name", "last_name", "firstName", "lastName", "email", "message", "stage"]
FIELDS += ["password", "confirm_password", "current_password", "name", "proof", "code"]
FIELDS += ["addresses", "role"]


def all_states(below: type[rx.State] = rx.State) -> Iterator[type[rx.State]]:
    for state in below.__subclasses__():
        if state.__module__.startswith("advisory_site."):
            yield state
        yield from all_states(state)


def sends(handler: Any) -> bool:
    return hasattr(handler.fn, "__once__")


def forms() -> list[type[rx.State]]:
    """Every state with a form, but those of records, and that of a dialog without a page, which closing it clears."""
    found = {state for state in all_states() if any(map(sends, state.event_handlers.values()))}
    return sorted(
        {one for one in found | {ContactState} if not issubclass(one, (FormState, ProofState))},
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

    def __init__(self, app: Site, state: type[rx.State], seed: int) -> None:
        self.app, self.state, self.chance = app, state, random.Random(seed)
        self.is_staff = page_of(state).route.startswith(routes.ADMIN)
        self.user = person("walker@northstrait.example", Role.ADMIN)
        with transaction() as session:
            session.add(Media(key="0a" * 16, name="me.jpg", width=400, height=500, size=1))
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
            tab.send(event, path=page.route, query=query)
        return {name: value for name, value in tab.vars(self.state).items() if name not in NOT_SHOWN}

    def step_open(self) -> None:
        query = self.chance.choice([{}, {"token": "x" * 43}, {"card": "sign-up"}, {"open": "1"}, {"invite": "new"}])
        assert self.open(self.tab, query) == self.open(self.new_tab(), query)

    def step_act(self) -> None:
        """Press whatever can be pressed: send the form, look at a field, turn to the other card."""
        name = self.chance.choice([name for name, one in self.state.event_handlers.items() if access_of(one.fn)])
        typed = {field: self.chance.choice(TEXTS) for field in FIELDS if self.chance.random() < 0.9}
        payloads: dict[str, Any] = {"form_data": typed, "typed": typed, "name": self.chance.choice(FIELDS), "edit": 1}
        payloads |= {"text": "me", "picture": 2, "other": 1, "factor": 1, "request": "a request", "response": "{}"}
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
        }
        email = f"ann{self.chance.randrange(99)}@northstrait.example"
        typed = names | words | {"email": email, "addresses": f"{email}, bad@"}
        for handler in self.state.event_handlers.values():
            if sends(handler) or handler.fn is ContactState.send.fn:
                assert not self.tab.send(handler, form_data=typed).errors


@pytest.mark.spec("AUTH-1", "CON-4", "ADM-4")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("state", forms(), ids=lambda state: state.__name__)
def test_a_form_is_as_new_whatever_the_tab_did_before(
    app: Site, database_dir: object, state: type[rx.State], seed: int
) -> None:
    walk = Walk(app, state, seed)
    steps: list[Callable[[], None]] = [walk.step_act, walk.step_fill_in_rightly, walk.step_act, walk.step_open]
    for _ in range(STEPS):
        walk.chance.choice(steps)()
    walk.step_open()
