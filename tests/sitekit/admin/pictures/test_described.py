"""The description of a cover in the form of an advisor, through the real event processor: marked, saved, restored."""

import pytest

from advisory_site.advisors.admin import AdvisorFormState
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from sitekit.records.pictures import texts as media_texts
from sitekit.records.pictures.addresses import address_of
from tests.support import factories
from tests.support.event_client import EventClient
from tests.support.staff import sign_in, texts


def add_advisor(**description: object) -> int:
    """Store a public advisor whose cover has no description but this one."""
    with transaction() as session:
        cover = factories.add_picture(session, **{"alt": "", **description})
        filled = factories.advisor_form(slug="omar-aziz", cover_image_url=address_of(cover.key, cover.width))
        return factories.id_of(factories.add_advisor(session, **filled))


@pytest.mark.spec("IMG-3", "SAY-4")
def test_a_cover_without_a_description_is_marked_until_it_has_one(tab: EventClient) -> None:
    advisor_id = add_advisor()
    sign_in(tab, Role.EMPLOYEE)
    path, query = f"/admin/advisors/{advisor_id}/edit", {"id": str(advisor_id)}
    form = tab.send(AdvisorFormState.open, path=path, query=query).var("advisor_form_state.form")
    sent = form.texts | {"record": str(advisor_id), "version": str(form.version)}
    reply = tab.send(AdvisorFormState.save, path=path, form_data=sent)
    assert texts(reply) == ["Please correct the marked fields"]
    assert reply.var("advisor_form_state.errors") == {"cover_image_url_alt": media_texts.DESCRIBE}

    def checked(**typed: str) -> str:
        given = {name: sent[name] for name in AdvisorFormState.record_type.compared_inputs} | typed
        reply = tab.send(AdvisorFormState.check, path=path, name="cover_image_url_alt", edit=1, typed=given)
        checks = reply.delta.get("advisor_form_state.checks")
        return str(checks["cover_image_url_alt"].error) if checks else ""

    assert checked(cover_image_url_alt="IMG_2041") == media_texts.NOT_A_FILE_NAME
    assert checked() == media_texts.DESCRIBE
    assert checked(is_active="") == ""
    assert checked(cover_image_url_is_decorative="on") == ""
    assert checked(cover_image_url="/images/a.svg") == ""
    described = sent | {"cover_image_url_alt": "A kelp farm"}
    reply = tab.send(AdvisorFormState.save, path=path, form_data=described | {"then": "stay"})
    assert texts(reply) == ["Advisor updated successfully"]
    assert reply.var("advisor_form_state.form").texts["cover_image_url_alt"] == "A kelp farm"


@pytest.mark.spec("IMG-3")
def test_a_restored_draft_keeps_a_checkbox_unticked(tab: EventClient) -> None:
    advisor_id = add_advisor(is_decorative=True)
    sign_in(tab, Role.EMPLOYEE)
    path, query = f"/admin/advisors/{advisor_id}/edit", {"id": str(advisor_id)}
    form = tab.send(AdvisorFormState.open, path=path, query=query).var("advisor_form_state.form")
    assert (form.texts["cover_image_url_alt"], form.texts["cover_image_url_is_decorative"]) == ("", "on")
    kept = {name: text for name, text in form.texts.items() if name != "cover_image_url_is_decorative"}
    typed = kept | {"record": str(advisor_id), "cover_image_url_alt": "Two people"}
    shown = tab.send(AdvisorFormState.restore, path=path, query=query, typed=typed)
    texts_shown = shown.var("advisor_form_state.form").texts
    assert (texts_shown["cover_image_url_alt"], texts_shown["cover_image_url_is_decorative"]) == ("Two people", "")
