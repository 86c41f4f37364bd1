"""The page of pictures through the real event processor: who may, what is shown, changed, replaced and deleted."""

from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.companies.models import columns as companies
from sitekit.admin.pictures import library as media_library
from sitekit.admin.pictures import state as media_state
from sitekit.admin.pictures import texts as picture_texts
from sitekit.admin.pictures.library import PictureData
from sitekit.admin.pictures.state import MediaState, PictureState
from sitekit.admin.undo_state import UndoState
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from sitekit.base.threads import Overloaded
from sitekit.records.pictures import texts as media_texts
from sitekit.records.pictures.addresses import address_of, file_names
from sitekit.records.pictures.models import Media
from sitekit.records.pictures.storage import store
from tests.conftest import on_each_database
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.staff import batches, redirects, sign_in, texts

pytestmark = pytest.mark.spec("IMG-4")

PATH = "/admin/media"


def add_picture(**fields: Any) -> int:
    with transaction() as session:
        return factories.id_of(factories.add_picture(session, **fields))


def listed(tab: EventClient, address: str = PATH) -> list[str]:
    return [row.name for row in tab.send(MediaState.load, path=address).var("media_state.rows")]


@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_see_the_pictures(tab: EventClient, role: Role) -> None:
    sign_in(tab, role)
    add_picture(name="harbour.jpg")
    assert listed(tab) == ["harbour.jpg"]


@on_each_database
def test_search_filter_order_and_page_are_read_from_the_address(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for number in range(26):
        add_picture(name=f"harbour-{number:02}.jpg")
    assert listed(tab, f"{PATH}?search=harbour&page=2") == ["harbour-00.jpg"]
    assert listed(tab, f"{PATH}?sort=name")[:2] == ["harbour-00.jpg", "harbour-01.jpg"]
    assert len(listed(tab, f"{PATH}?filter=unused&size=50")) == 26
    tab.send(MediaState.load, path=f"{PATH}?search=zzz&filter=unused")
    shown = tab.vars(MediaState)
    assert (shown["rows"], shown["nothing_found"]) == (
        [],
        "Nothing matches “zzz” with the filter Status.",
    )


def opened(tab: EventClient, picture: object) -> Reply:
    return tab.send(MediaState.load, path=f"{PATH}?open={picture}&search=harbour")


def test_the_address_opens_and_closes_the_dialog(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    picture = add_picture(name="harbour.jpg", alt="A harbour")
    opened(tab, picture)
    shown = tab.vars(PictureState)
    assert (shown["shown"], shown["opened"].name, shown["form"].id) == (str(picture), "harbour.jpg", picture)
    assert shown["form"].texts["alt"] == "A harbour"
    tab.send(MediaState.load, path=PATH)
    closed = tab.vars(PictureState)
    assert (closed["shown"], closed["opened"].name, closed["form"].texts) == ("", "", {})


@pytest.mark.parametrize("wanted", ["0", "999", "zzz", "1%00"])
def test_an_unknown_picture_closes_the_dialog_and_keeps_the_list(tab: EventClient, wanted: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    add_picture(name="harbour.jpg")
    reply = opened(tab, wanted)
    assert (texts(reply), redirects(reply)) == ([picture_texts.FETCH_FAILED], [f"{PATH}?search=harbour"])


@pytest.mark.parametrize("role", list(Role))
@on_each_database
def test_staff_of_every_role_can_save_details_and_see_them_in_the_list(tab: EventClient, role: Role) -> None:
    sign_in(tab, role)
    picture = add_picture(name="harbour.jpg")
    opened(tab, picture)
    typed = {"record": str(picture), "version": "1", "alt": "The harbour at night", "credit": "Studio"}
    reply = tab.send(PictureState.save, path=f"{PATH}?open={picture}", form_data={**typed, "submission": "1"})
    assert texts(reply) == [picture_texts.SAVED]
    assert [row.alt for row in reply.var("media_state.rows")] == ["The harbour at night"]
    shown = tab.vars(PictureState)
    assert (shown["saves"], shown["form"].texts["credit"], shown["shown"]) == (1, "Studio", str(picture))


@pytest.mark.spec("IMG-3", "SAY-4")
def test_a_save_over_a_newer_change_is_refused_and_keeps_the_typed_text(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    picture = add_picture(name="harbour.jpg")
    opened(tab, picture)
    with transaction() as session:
        ann = factories.add_actor(session, first_name="Ann", last_name="Lee")
        read = {"name": "harbour.jpg", "alt": "The harbour at dawn"}
        media_library.save(session, ann, picture, PictureData.read(read), 1)
    path, typed = f"{PATH}?open={picture}", {"record": str(picture), "version": "1", "alt": "The harbour at night"}

    def save(**more: str) -> Reply:
        return tab.send(PictureState.save, path=path, form_data={**typed, **more})

    def stored() -> str:
        with read_session() as session:
            return session.get_one(Media, picture).alt

    reply = save(submission="1")
    clash = tab.vars(PictureState)["conflict"]
    assert (texts(reply), clash.name, bool(clash.at)) == ([], "Ann Lee", True)
    assert (tab.vars(PictureState)["saves"], stored()) == (0, "The harbour at dawn")
    # What the browser has kept is shown again, with the version that it was typed over.
    tab.send(PictureState.restore, path=path, typed=typed)
    form = tab.vars(PictureState)["form"]
    assert (form.texts["alt"], form.version) == ("The harbour at night", 1)
    assert texts(save(submission="2", then="overwrite")) == [picture_texts.SAVED]
    shown = tab.vars(PictureState)
    assert (stored(), shown["conflict"].text, shown["form"].version) == ("The harbour at night", "", 3)


@pytest.mark.spec("IMG-3", "SAY-4")
def test_a_refused_description_is_marked_until_it_is_corrected(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    picture = add_picture(name="harbour.jpg", alt="")
    opened(tab, picture)
    path = f"{PATH}?open={picture}"
    reply = tab.send(PictureState.save, path=path, form_data={"record": str(picture), "alt": "harbour"})
    assert reply.var("picture_state.errors") == {"alt": media_texts.NOT_A_FILE_NAME}

    def checked(**typed: str) -> str:
        reply = tab.send(PictureState.check, path=path, name="alt", edit=1, typed=typed)
        return str(reply.var("picture_state.checks")["alt"].error)

    assert checked(alt="Harbour") == media_texts.NOT_A_FILE_NAME
    assert checked(alt="") == ""
    assert checked(alt="The harbour at night") == ""


def test_an_unsaved_draft_is_shown_again_and_discarded(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    picture, other = add_picture(name="harbour.jpg", alt=""), add_picture()
    opened(tab, picture)
    path = f"{PATH}?open={picture}"
    tab.send(PictureState.restore, path=path, typed={"record": str(other), "alt": "Not this one"})
    assert tab.vars(PictureState)["form"].texts["alt"] == ""
    tab.send(PictureState.restore, path=path, typed={"record": str(picture), "alt": "Mine", "credit": "Studio"})
    shown = tab.vars(PictureState)
    assert (shown["form"].texts["alt"], shown["form"].texts["credit"], shown["is_restored"]) == ("Mine", "Studio", True)
    tab.send(PictureState.discard, path=path)
    shown = tab.vars(PictureState)
    assert (shown["form"].texts["alt"], shown["is_restored"]) == ("", False)


def use(picture: int, name: str = "Kelp") -> str:
    """Store a company with the picture as its logo; returns the picture's address."""
    with transaction() as session:
        row = session.get_one(Media, picture)
        address = address_of(row.key, row.width)
        factories.add_company(session, name=name, slug=name.lower(), logo_url=address)
        return address


@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_delete_an_unused_picture_with_its_files(tab: EventClient, role: Role) -> None:
    sign_in(tab, role)
    picture, other = add_picture(name="harbour.jpg"), add_picture()
    kept: list[str] = []
    gone: list[str] = []
    with transaction() as session:
        for one, names in ((picture, gone), (other, kept)):
            row = session.get_one(Media, one)
            for name in file_names(row.key, row.width):
                store().put(name, b"picture")
                names.append(name)
    opened(tab, picture)
    reply = tab.send(PictureState.delete, path=f"{PATH}?open={picture}&search=harbour", picture=picture)
    assert (texts(reply), redirects(reply)) == ([picture_texts.DELETED], [f"{PATH}?search=harbour"])
    assert sorted(store().names()) == sorted(kept)
    assert len(listed(tab)) == 1


def test_a_picture_can_be_deleted_while_the_store_is_unavailable(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_names: object) -> None:
        raise Overloaded("the store is away")

    sign_in(tab, Role.EMPLOYEE)
    picture = add_picture()
    monkeypatch.setattr(media_state, "delete_files", fail)
    reply = tab.send(PictureState.delete, path=f"{PATH}?open={picture}", picture=picture)
    assert (texts(reply), listed(tab)) == ([picture_texts.DELETED], [])


def test_a_used_picture_is_not_deleted_and_the_dialog_lists_its_uses(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    picture = add_picture(name="harbour.jpg")
    use(picture)
    reply = tab.send(PictureState.delete, path=f"{PATH}?open={picture}", picture=picture)
    assert texts(reply) == ["This picture cannot be deleted while records use it: Kelp."]
    shown = tab.vars(PictureState)
    assert [(one.name, one.href) for one in shown["uses"]] == [("Kelp", "/admin/companies/kelp/edit")]
    assert listed(tab) == ["harbour.jpg"]


def test_deleting_a_picture_twice_is_reported_and_closes_the_dialog(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    reply = tab.send(PictureState.delete, path=f"{PATH}?open=7", picture=7)
    assert (texts(reply), redirects(reply)) == ([f"{picture_texts.DELETE_FAILED}: it has already been deleted"], [PATH])


def logos() -> list[str | None]:
    with read_session() as session:
        return list(session.execute(sa.select(companies.logo_url).order_by(companies.id)).scalars())


@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_can_replace_a_picture_and_undo_it(tab: EventClient, role: Role) -> None:
    sign_in(tab, role)
    picture, other = add_picture(name="harbour.jpg"), add_picture(name="office.jpg")
    old = [use(picture, "Kelp"), use(picture, "Moss")]
    opened(tab, picture)
    path = f"{PATH}?open={picture}"
    tab.send(PictureState.find_others, path=path, text=" OFFICE")
    assert [row.id for row in tab.vars(PictureState)["others"]] == [other]
    reply = tab.send(PictureState.replace, path=path, picture=picture, other=other)
    assert texts(reply) == ["Picture replaced in 2 records"]
    assert [row.used for row in reply.var("media_state.rows")] == ["Used by 2 records", "Not used"]
    shown = tab.vars(PictureState)
    assert (shown["uses"], [one.name for one in shown["older"]], shown["others"]) == ([], ["Kelp", "Moss"], [])
    assert not {*logos()} & {*old}
    undone = tab.send(UndoState.undo, path=path, batch=batches(reply)[0])
    assert (texts(undone)[-1], logos()) == ("Undone: Kelp, Moss", old)
    assert [one.name for one in tab.vars(PictureState)["uses"]] == ["Kelp", "Moss"]
