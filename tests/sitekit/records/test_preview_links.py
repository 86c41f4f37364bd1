"""Links to previews: shown again by the keys of the site, and deleted some time after they have ended."""

from datetime import timedelta
from types import ModuleType

import pytest
import sqlalchemy as sa

from sitekit.base import secret_keys
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import InvalidInput, NotFound
from sitekit.records import preview_links
from sitekit.records.preview_links import KEPT, ShareData
from sitekit.records.proposals import PreviewLink
from sitekit.records.proposals import link_columns as columns
from tests.support.each import check_each
from tests.support.factories import add_actor, add_company, add_draft, id_of

pytestmark = pytest.mark.spec("DRAFT-8")
WEEK = ShareData(days="7")


def test_a_secret_is_not_stored_and_follows_from_the_keys(
    database: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    with transaction() as session:
        actor, draft = add_actor(session), id_of(add_draft(session))
        secret = preview_links.share(session, actor, draft, WEEK)
    with read_session() as session:
        [link] = session.execute(sa.select(PreviewLink)).scalars()
        assert secret not in str(vars(link))
        assert preview_links.find(session, secret, is_opened=False) == (draft, "")
    [old] = secret_keys.signing_keys()
    for keys, is_shown in ((("new" * 20, old), True), (("new" * 20,), False)):
        monkeypatch.setattr(preview_links, "signing_keys", lambda keys=keys: keys)
        with read_session() as session:
            [row] = preview_links.list_links(session, actor, draft)
            assert row.secret == (secret if is_shown else "")
            # Who has the link can still use it.
            assert preview_links.find(session, secret, is_opened=False) == (draft, "")


def test_a_published_draft_that_goes_on_gets_another_link(database: ModuleType) -> None:
    with transaction() as session:
        company = add_company(session, slug="kelp")
        actor, draft = add_actor(session), id_of(add_draft(session, company))
        secret = preview_links.share(session, actor, draft, WEEK)
        preview_links.note_published(session, draft, id_of(company))
        assert preview_links.find(session, secret, is_opened=False) == (0, "/companies/kelp")
        newer = preview_links.share(session, actor, draft, WEEK)
        assert preview_links.find(session, newer, is_opened=False) == (draft, "")


@pytest.mark.parametrize("state", ["scheduled", "blocked"])
def test_a_draft_is_seen_in_any_state_but_discarded(database: ModuleType, state: str) -> None:
    with transaction() as session:
        actor, draft = add_actor(session), add_draft(session, state=state)
        secret = preview_links.share(session, actor, draft.id, WEEK)
        assert preview_links.find(session, secret, is_opened=False) == (draft.id, "")
        draft.state = "discarded"
        session.flush()
        with pytest.raises(NotFound):
            preview_links.find(session, secret, is_opened=True)
        with pytest.raises(NotFound):
            preview_links.share(session, actor, draft.id, WEEK)


def test_the_proposal_of_a_guest_has_no_preview(database: ModuleType) -> None:
    with transaction() as session:
        draft = add_draft(session, category="guest")
        with pytest.raises(NotFound):
            preview_links.share(session, add_actor(session), draft.id, WEEK)


def test_a_draft_is_shared_for_1_to_30_days_written_in_digits(database: ModuleType) -> None:
    wrong = "0 31 99 030 0030 130 000130 0019999 00010000 0030999999 +5 -1 1e3 1_0 1.0 9999 ٣ １４ ² 5d"

    def check(days: str) -> None:
        with pytest.raises(InvalidInput):
            ShareData.read({"days": days})

    check_each([*wrong.split(), "", "1 4", "9" * 5_000, "0" * 5_000 + "9"], check)
    for days in ("1", "01", "9", "14", " 30 "):
        with transaction() as session:
            draft = add_draft(session)
            preview_links.share(session, add_actor(session), draft.id, ShareData.read({"days": days}))
            [link] = session.execute(sa.select(PreviewLink).where(columns.proposal_id == draft.id)).scalars()
            assert round((link.expires_at - now()) / timedelta(days=1), 3) == int(days)


def test_the_links_of_a_user_end_and_those_of_others_and_to_published_pages_stay(database: ModuleType) -> None:
    with transaction() as session:
        left, stayed = add_actor(session), add_actor(session)
        company = add_company(session, slug="kelp")
        drafts = [id_of(draft) for draft in (add_draft(session), add_draft(session), add_draft(session, company))]
        secrets = [
            preview_links.share(session, actor, draft, WEEK)
            for actor, draft in zip((left, stayed, left), drafts, strict=True)
        ]
        preview_links.note_published(session, drafts[2], id_of(company))
        preview_links.revoke_all_of(session, left.user_id)
        with pytest.raises(NotFound):
            preview_links.find(session, secrets[0], is_opened=False)
        assert preview_links.find(session, secrets[1], is_opened=False) == (drafts[1], "")
        assert preview_links.find(session, secrets[2], is_opened=False) == (0, "/companies/kelp")
        # A colleague who shares the draft gets a link of their own.
        newer = preview_links.share(session, stayed, drafts[0], WEEK)
        assert newer != secrets[0]
        assert preview_links.find(session, newer, is_opened=False) == (drafts[0], "")


def test_links_are_deleted_30_days_after_they_expire(database: ModuleType) -> None:
    with transaction() as session:
        actor = add_actor(session)
        for _ in range(2):
            preview_links.share(session, actor, add_draft(session).id, WEEK)
        [link, _] = session.execute(sa.select(PreviewLink)).scalars()
        link.expires_at = now() - KEPT - timedelta(minutes=1)
        session.flush()
        assert preview_links.delete_expired(session, now(), 100) == 1
        assert preview_links.delete_expired(session, now() + KEPT, 100) == 0
