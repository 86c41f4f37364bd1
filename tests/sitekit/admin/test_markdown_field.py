"""What the field of a Markdown text asks: pictures to insert. Who is answered, and how."""

import pytest

from sitekit.admin.markdown_field import MAX_NAME, FoundPictures, MarkdownState
from sitekit.base import permissions
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Action, Role
from tests.support import factories
from tests.support.event_client import EventClient
from tests.support.staff import sign_in, texts


def find(tab: EventClient, search: str, name: str = "text") -> FoundPictures:
    found: FoundPictures = tab.send(MarkdownState.find_pictures, name=name, search=search).var("markdown_state.found")
    return found


@pytest.mark.spec("NEWS-3")
@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_find_pictures_to_insert_newest_first(tab: EventClient, role: Role) -> None:
    with transaction() as session:
        for name in ("desk.jpg", "market.jpg"):
            factories.add_picture(session, name=name)
    sign_in(tab, role)
    assert [row.name for row in find(tab, "").rows] == ["market.jpg", "desk.jpg"]
    found = find(tab, "desk", name="x" * 10_000)
    assert ([row.name for row in found.rows], found.name) == (["desk.jpg"], "x" * MAX_NAME)
    assert find(tab, "nowhere").rows == []


@pytest.mark.spec("NEWS-3")
def test_a_role_without_permission_finds_no_pictures(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with transaction() as session:
        factories.add_picture(session)
    monkeypatch.setitem(permissions.POLICY, Action.READ_MEDIA, frozenset({Role.ADMIN}))
    monkeypatch.setitem(permissions.POLICY, Action.CHANGE_MEDIA, frozenset({Role.ADMIN}))
    sign_in(tab, Role.EMPLOYEE)
    reply = tab.send(MarkdownState.find_pictures, name="text", search="")
    assert "markdown_state.found" not in reply.delta
    assert len(texts(reply)) == 1
