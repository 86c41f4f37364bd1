"""The description of a picture in the form of a record, through the real event processor: marked, saved, restored."""

import pytest

from advisory_site.companies.admin_form import CompanyFormState
from advisory_site.content import media_texts
from advisory_site.core.permissions import Role
from advisory_site.core.pictures import address_of
from advisory_site.db.database import transaction
from tests.support import factories
from tests.support.event_client import EventClient
from tests.support.staff import sign_in, texts


@pytest.mark.spec("IMG-3", "SAY-4")
def test_a_picture_without_a_description_is_marked_until_it_has_one(tab: EventClient) -> None:
    with transaction() as session:
        picture = factories.add_picture(session, alt="")
        logo, slug = address_of(picture.key, picture.width), "kelp-one"
        company_id = factories.add_company(session, **factories.company_form(slug=slug, logo_url=logo)).id
    sign_in(tab, Role.EMPLOYEE)
    path = f"/admin/companies/{slug}/edit"
    form = tab.send(CompanyFormState.open, path=path, query={"slug": slug}).var("company_form_state.form")
    sent = form.texts | {"record": str(company_id), "version": str(form.version)}
    reply = tab.send(CompanyFormState.save, path=path, form_data=sent)
    assert texts(reply) == ["Please correct the marked fields"]
    assert reply.var("company_form_state.errors") == {"logo_url_alt": media_texts.DESCRIBE}

    def checked(**typed: str) -> str:
        given = {name: sent[name] for name in CompanyFormState.kind.compared_inputs} | typed
        reply = tab.send(CompanyFormState.check, path=path, name="logo_url_alt", edit=1, typed=given)
        checks = reply.delta.get("company_form_state.checks")
        return str(checks["logo_url_alt"].error) if checks else ""

    assert checked(logo_url_alt="IMG_2041") == media_texts.NOT_A_FILE_NAME
    assert checked() == media_texts.DESCRIBE
    assert checked(status="Inactive") == ""
    assert checked(logo_url_is_decorative="on") == ""
    assert checked(logo_url="/images/a.svg") == ""
    described = sent | {"logo_url_alt": "A kelp farm"}
    reply = tab.send(CompanyFormState.save, path=path, form_data=described | {"then": "stay"})
    assert texts(reply) == ["Company updated successfully"]
    assert reply.var("company_form_state.form").texts["logo_url_alt"] == "A kelp farm"


@pytest.mark.spec("IMG-3")
def test_a_draft_of_the_browser_is_shown_without_a_tick_that_was_taken_away(tab: EventClient) -> None:
    with transaction() as session:
        picture = factories.add_picture(session, alt="", is_decorative=True)
        fields = {"slug": "kelp-one", "logo_url": address_of(picture.key, picture.width)}
        company_id = factories.add_company(session, **factories.company_form(**fields)).id
    sign_in(tab, Role.EMPLOYEE)
    path = "/admin/companies/kelp-one/edit"
    form = tab.send(CompanyFormState.open, path=path, query={"slug": "kelp-one"}).var("company_form_state.form")
    assert (form.texts["logo_url_alt"], form.texts["logo_url_is_decorative"]) == ("", "on")
    kept = {name: text for name, text in form.texts.items() if name != "logo_url_is_decorative"}
    typed = kept | {"record": str(company_id), "logo_url_alt": "Two people"}
    shown = tab.send(CompanyFormState.restore, path=path, query={"slug": "kelp-one"}, typed=typed)
    texts_shown = shown.var("company_form_state.form").texts
    assert (texts_shown["logo_url_alt"], texts_shown["logo_url_is_decorative"]) == ("Two people", "")
