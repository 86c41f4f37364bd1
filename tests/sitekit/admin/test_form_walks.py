"""Forms after anything the same tab may have done before: complete as in a fresh tab, whatever came first.

The walks are random, and the same in every run: their number is the seed.
"""

import random
from typing import Any
from urllib.parse import urlencode

import pytest

from sitekit.admin.components.unsaved import OVERWRITE, STAY
from sitekit.app.site_app import SiteApp
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from tests.conftest import on_sqlite
from tests.support.event_client import EventClient, Reply
from tests.support.people import person, signed_in
from tests.support.record_screens import Screen
from tests.support.staff import STORED

pytestmark = on_sqlite

STEPS = 25
# They only count: a browser asks whether they have changed.
COUNTERS = {"times_refused", "revision", "answered", "saves"}
TEXTS = ["", " ", "Kelp & Co", "kelp-and-co", "not an address", "https://kelp.example/a.png", "7", "a, b,, c", "é\n- ü"]


class Walk:
    """One tab that does one random thing after another, compared with fresh tabs where it shall be like one."""

    def __init__(self, app: SiteApp, screen: Screen, seed: int) -> None:
        self.app, self.screen, self.chance = app, screen, random.Random(seed)
        self.stored = signed_in(person("walker@northstrait.example", Role.EMPLOYEE)).to_json()
        with transaction() as session:
            self.records = [screen.sample.add(session, name=f"Record {number}") for number in range(3)]
            for record in self.records:
                session.refresh(record)
                session.expunge(record)
        self.tab = self.fresh_tab()
        self.open(None)

    def fresh_tab(self) -> EventClient:
        tab = EventClient(self.app)
        tab.send("reflex___state____state.hydrate_and_load", vars={STORED: self.stored})
        return tab

    def send(self, tab: EventClient, handler: Any, **payload: Any) -> Reply:
        return tab.send(handler, **self.place, **payload)

    def shown(self, tab: EventClient) -> dict[str, Any]:
        return {name: value for name, value in tab.vars(self.screen.form).items() if name not in COUNTERS}

    def open(self, record: Any) -> None:
        """Open a record, and find the form as a fresh tab does."""
        self.record, self.place = record, self.screen.at(record)
        self.send(self.tab, self.screen.form.open)
        fresh = self.fresh_tab()
        self.send(fresh, self.screen.form.open)
        assert self.shown(self.tab) == self.shown(fresh)

    def typed(self) -> dict[str, Any]:
        """What somebody typed: all that is needed, and nonsense in some fields; rows of a group; the form's own id."""
        form = self.tab.vars(self.screen.form)["form"]
        names = sorted(self.screen.sample.record_type.data_class.model_fields)
        nonsense = {name: self.chance.choice(TEXTS) for name in self.chance.sample(names, 3)}
        rows = {f"{self.screen.group}.{key}.name": self.chance.choice(TEXTS) for key in (0, 4)}
        own = {"record": str(form.id), "version": str(form.version)}
        return self.screen.sample.filled(name=self.chance.choice(["Ann", "Bo", "Cy"])) | nonsense | rows | own

    def step_open(self) -> None:
        self.open(self.chance.choice([None, *self.records]))

    def step_check(self) -> None:
        name = self.chance.choice(["name", "slug", "email", "bio"])
        typed = {name: self.chance.choice(TEXTS), "record": str(self.tab.vars(self.screen.form)["form"].id)}
        self.send(self.tab, self.screen.form.check, name=name, edit=self.chance.randrange(9), typed=typed)

    def step_restore(self) -> None:
        self.send(self.tab, self.screen.form.restore, typed=self.typed())

    def step_rows(self) -> None:
        self.send(self.tab, self.screen.form.add_entry, group=self.screen.group)
        self.send(self.tab, self.screen.form.remove_entry, group=self.screen.group, key=self.chance.randrange(3))

    def step_discard(self) -> None:
        self.send(self.tab, self.screen.form.discard)
        fresh = self.fresh_tab()
        self.send(fresh, self.screen.form.open)
        assert self.shown(self.tab) == self.shown(fresh)

    def step_cancel(self) -> None:
        tab = {"tab": self.screen.sample.record_type.tab}
        self.tab.send(self.screen.tab.load, path="/admin?" + urlencode(tab), query=tab)

    def step_refuse(self) -> None:
        """Refused, the form says the same as in a fresh tab; nothing of what was refused or said before is left."""
        self.open(self.record)
        sent = self.typed() | {"name": "", "email": "nobody"}
        fresh = self.fresh_tab()
        self.send(fresh, self.screen.form.open)
        for tab in (self.tab, fresh):
            self.send(tab, self.screen.form.save, form_data=sent)
        assert self.shown(self.tab) == self.shown(fresh)
        assert self.shown(self.tab)["errors"]["name"] == "Please fill in this field."

    def step_save(self) -> None:
        """Saved or not: what was typed is about the record the form was drawn for, and about no other."""
        before, saves = self.stored_records(), self.tab.vars(self.screen.form)["saves"]
        sent = self.typed() | {"then": self.chance.choice(["", STAY, OVERWRITE, "\x00"])}
        self.send(self.tab, self.screen.form.save, form_data=sent)
        after = self.stored_records()
        changed = {number for number, one in before.items() if after[number] != one}
        assert changed <= {int(sent["record"])}
        if self.tab.vars(self.screen.form)["saves"] > saves:
            self.find_settled()

    def find_settled(self) -> None:
        """Saved, the form holds what a fresh tab reads of the record, and nothing of what was said before."""
        settled = self.shown(self.tab)
        with transaction() as session:
            record = session.get_one(type(self.records[0]), settled["form"].id)
            place = self.screen.at(record)
        fresh = self.fresh_tab()
        fresh.send(self.screen.form.open, **place)
        for name in ("form", "saved", "errors", "checks", "conflict", "is_busy", "is_restored", "unsaved_name"):
            assert settled[name] == self.shown(fresh)[name]

    def stored_records(self) -> dict[int, dict[str, Any]]:
        with transaction() as session:
            table = type(self.records[0])
            return {one.id: one.model_dump() for one in (session.get_one(table, own.id) for own in self.records)}

    def take(self, steps: int) -> None:
        ways = [getattr(self, name) for name in dir(self) if name.startswith("step_")]
        for _ in range(steps):
            self.chance.choice(ways)()
        self.step_open()


@pytest.mark.spec("ACO-4", "ATM-1", "AAD-2")
@pytest.mark.parametrize("seed", range(4))
def test_a_form_is_complete_after_any_sequence_of_events(
    app: SiteApp, database_dir: object, screen: Screen, seed: int
) -> None:
    Walk(app, screen, seed).take(STEPS)
