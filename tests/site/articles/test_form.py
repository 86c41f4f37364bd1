"""What the form of a new article begins with."""

import pytest

from advisory_site.articles.admin import ArticleFormState
from sitekit.accounts.models import Profile
from sitekit.base.db.database import now, transaction
from sitekit.base.permissions import Role
from sitekit.base.times import date_text
from tests.conftest import on_sqlite
from tests.support.event_client import EventClient
from tests.support.factories import add_member
from tests.support.staff import sign_in

pytestmark = on_sqlite


@pytest.mark.parametrize(("is_active", "author"), [(True, "mei"), (False, "")])
def test_a_new_article_is_of_today_and_by_the_member_who_writes_it(
    tab: EventClient, is_active: bool, author: str
) -> None:
    user = sign_in(tab, Role.MANAGER)
    with transaction() as session:
        email = session.get_one(Profile, user).email
        add_member(session, slug="mei", email=email.capitalize(), is_active=is_active)
        add_member(session, slug="omar", email="omar@northstrait.example")
    form = tab.send(ArticleFormState.open, path="/admin/articles/new").var("article_form_state.form")
    assert (form.texts["written_on"], form.texts["author"]) == (date_text(now()), author)
