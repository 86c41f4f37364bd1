"""What staff do with one enquiry: take it, reply, note, wait, mark, delete. Everything done is an entry on record."""

from datetime import date, datetime, timedelta
from string import punctuation

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.accounts import owner_mails
from sitekit.base.db import rate_limits
from sitekit.base.db.database import now
from sitekit.base.errors import Conflict, InvalidInput, TooManyAttempts
from sitekit.base.mail import outbox
from sitekit.base.permissions import Actor, may, require
from sitekit.base.text import clean_text, is_mailable, record_id
from sitekit.base.times import ago, local
from sitekit.records import activity
from sitekit.records.activity import name_of, own_name_of
from sitekit.records.saving import delete as delete_record
from sitekit.records.saving import gone, load

from ...permissions import SiteAction
from .. import desk_texts as texts
from .. import mails, messages, owners
from ..audit_events import EnquiryAuditEvent
from ..models import Enquiry, EnquiryEntry, EnquiryState, EntryCategory, columns, entries
from ..submission import tell
from ..working_days import begin_of, due_after

LONGEST = 20_000
REMOVABLE = timedelta(minutes=10)
FURTHEST = timedelta(days=366)
MOST_MAILS = 60  # that one person sends in an hour: more than are written, and few if their session is stolen
WRITTEN = (EntryCategory.NOTE, EntryCategory.ANSWER)


def take(session: Session, actor: Actor, enquiry_id: object, seen_owner: int) -> None:
    """Make the actor the owner; see `assign`."""
    require(actor, SiteAction.CHANGE_ENQUIRIES)
    assign(session, actor, enquiry_id, actor.user_id, seen_owner)


def assign(session: Session, actor: Actor, enquiry_id: object, owner_id: int, seen_owner: int) -> None:
    """Give an enquiry to somebody, or with 0 to nobody. The new owner and the former one are told by mail.

    `seen_owner` is the owner that the actor saw; raises `Conflict` if it has another one meanwhile, and `InvalidInput`
    if the new owner cannot have it.
    """
    enquiry = _begin(session, actor, enquiry_id)
    owner = enquiry.owner_id or 0
    if owner == owner_id:
        return
    if owner != seen_owner:
        raise Conflict(_taken(session, actor, enquiry))
    is_own = owner_id == actor.user_id
    name = owners.active_name(session, owner_id) if owner_id else ""
    took = texts.TOOK_OVER.format(name=session.execute(sa.select(name_of(owner))).scalar_one()) if owner else texts.TOOK
    text = took if is_own else texts.ASSIGNED.format(name=name) if owner_id else texts.GAVE_BACK
    enquiry.owner_id = owner_id or None
    if enquiry.state in (EnquiryState.NEW, EnquiryState.OPEN):
        enquiry.state = EnquiryState.OPEN if owner_id else EnquiryState.NEW
    _add(session, enquiry, EntryCategory.CHANGE, text, actor)
    _log(session, EnquiryAuditEvent.ENQUIRY_ASSIGNED, actor, enquiry)
    if owner_id and not is_own:
        _count_mail(session, actor)
        by = _name_in_mail(session, actor.user_id)
        owner_mails.enqueue(session, owner_id, lambda email, first: mails.assigned(email, first, enquiry, by))
    if owner and owner_id and owner != actor.user_id:
        _count_mail(session, actor)
        taker = _name_in_mail(session, owner_id)
        owner_mails.enqueue(session, owner, lambda email, first: mails.taken_over(email, first, enquiry, taker))


def _name_in_mail(session: Session, user_id: int) -> str:
    """Never the address with which somebody without a name signs in."""
    return session.execute(sa.select(own_name_of(user_id))).scalar_one() or texts.A_COLLEAGUE


def set_handled(session: Session, actor: Actor, enquiry_id: object, is_handled: bool) -> None:
    """Mark an enquiry as handled, or as new: then nobody has it. The time of the first marking is kept."""
    enquiry = _begin(session, actor, enquiry_id)
    state = EnquiryState.HANDLED if is_handled else EnquiryState.NEW
    if enquiry.state == state:
        return
    _mark(session, actor, enquiry, state, texts.MARKED[state])
    if not is_handled:
        enquiry.owner_id = None


def set_spam(session: Session, actor: Actor, enquiry_id: object, is_spam: bool) -> None:
    """Mark an enquiry as spam, or not: then it is new, due from now on, and what was held back is sent."""
    enquiry = _begin(session, actor, enquiry_id)
    if is_spam == (enquiry.state == EnquiryState.SPAM):
        return
    if is_spam:
        _mark(session, actor, enquiry, EnquiryState.SPAM, texts.MARKED[EnquiryState.SPAM])
        return
    _mark(session, actor, enquiry, EnquiryState.NEW, texts.MARKED_NOT_SPAM)
    enquiry.owner_id, enquiry.due_at = None, due_after(now())
    if enquiry.reasons:
        enquiry.reasons = []
        tell(session, enquiry)


def _mark(session: Session, actor: Actor, enquiry: Enquiry, state: EnquiryState, text: str) -> None:
    acts = {
        EnquiryState.HANDLED: EnquiryAuditEvent.ENQUIRY_HANDLED,
        EnquiryState.SPAM: EnquiryAuditEvent.ENQUIRY_SPAM,
    }
    enquiry.state, enquiry.waiting_until = state, None
    enquiry.handled_at = now() if state in acts else None
    _add(session, enquiry, EntryCategory.CHANGE, text, actor)
    _log(session, acts.get(state, EnquiryAuditEvent.ENQUIRY_REOPENED), actor, enquiry)


def wait_until(session: Session, actor: Actor, enquiry_id: object, typed: object) -> None:
    """Set the day on which a waiting enquiry is open again, as ISO text; empty for none. Raises `InvalidInput`."""
    enquiry = _begin(session, actor, enquiry_id)
    if enquiry.state != EnquiryState.WAITING:
        raise Conflict(messages.NOT_WAITING)
    day = _future_day(clean_text(typed).strip())
    enquiry.waiting_until = begin_of(day) if day else None
    text = texts.WAITS_UNTIL.format(day=f"{day.day} {day:%b %Y}") if day else texts.WAITS
    _add(session, enquiry, EntryCategory.CHANGE, text, actor)
    _log(session, EnquiryAuditEvent.ENQUIRY_NOTED, actor, enquiry)


def _future_day(typed: str) -> date | None:
    if not typed:
        return None
    today = local(now()).date()
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        day = today
    if not today < day <= today + FURTHEST:
        raise InvalidInput(messages.DAY_INVALID, {"until": messages.DAY_INVALID})
    return day


def reply(session: Session, actor: Actor, enquiry_id: object, typed: object, seen_entry: int) -> None:
    """Mail a reply to the visitor, and wait for theirs. Who replies first has the enquiry.

    `seen_entry` is the newest entry that the actor saw; raises `Conflict` if a colleague has replied since. A form that
    is sent twice is one reply: it was begun before that reply, and nothing came of it yet. Raises `InvalidInput`.
    """
    enquiry = _begin(session, actor, enquiry_id)
    sender = session.execute(sa.select(own_name_of(actor.user_id))).scalar_one()
    if not sender:
        raise Conflict(messages.REPLY_UNSIGNED)
    text = _text("reply", typed, messages.REPLY_MISSING)
    if _words(text) <= _words(texts.suggested_reply(enquiry.first_name, sender)):
        raise InvalidInput(messages.REPLY_MISSING, {"reply": messages.REPLY_MISSING})
    if enquiry.state == EnquiryState.SPAM:
        raise Conflict(messages.REPLY_TO_SPAM)
    if not is_mailable(enquiry.email):
        raise InvalidInput(messages.NOT_MAILABLE, {"reply": messages.NOT_MAILABLE})
    replies = sa.select(EnquiryEntry).where(entries.enquiry_id == enquiry.id, entries.category == EntryCategory.REPLY)
    unseen = session.execute(replies.where(entries.id > seen_entry).order_by(entries.id.desc()).limit(1)).scalar()
    if unseen and unseen.by != actor.user_id:
        raise Conflict(messages.REPLIED_SINCE.format(name=unseen.by_name, ago=ago(now(), unseen.at)))
    if unseen and unseen.text == text and enquiry.state == EnquiryState.WAITING:
        return
    _count_mail(session, actor)
    mail_id = outbox.enqueue(session, mails.reply(enquiry.email, text, _thread(session, enquiry)))
    _add(session, enquiry, EntryCategory.REPLY, text, actor, mail_id)
    _log(session, EnquiryAuditEvent.ENQUIRY_REPLIED, actor, enquiry)
    enquiry.owner_id = enquiry.owner_id or actor.user_id
    _await_answer(enquiry)


def _await_answer(enquiry: Enquiry) -> None:
    """Wait for the visitor, to whom a reply was sent or is on its way; it is the first one if there is none."""
    enquiry.first_replied_at = enquiry.first_replied_at or now()
    enquiry.state, enquiry.waiting_until, enquiry.handled_at = EnquiryState.WAITING, None, None


def _count_mail(session: Session, actor: Actor) -> None:
    key = ("enquiry mails", str(actor.user_id))
    rate_limits.serialize(session, key)
    if wait := rate_limits.seconds_to_wait(session, *key, MOST_MAILS, timedelta(hours=1)):
        raise TooManyAttempts(messages.MAILS_TOO_MANY.format(wait=rate_limits.in_words(wait)), wait)
    rate_limits.record(session, *key)


def _thread(session: Session, enquiry: Enquiry) -> str:
    """The Message-ID of the first mail to the visitor."""
    mailed = sa.select(entries.mail_id).where(entries.enquiry_id == enquiry.id, entries.mail_id != "")
    return session.execute(mailed.order_by(entries.id).limit(1)).scalar() or ""


def send_again(session: Session, actor: Actor, entry_id: object) -> None:
    """Try again to send a mail that has failed; raises `Conflict` if it has not, or cannot be sent any more."""
    require(actor, SiteAction.CHANGE_ENQUIRIES)
    entry = load(session, EnquiryEntry, entry_id, gone(messages.REPLY_FAILED))
    if not outbox.retry(session, entry.mail_id):
        raise Conflict(messages.NOT_FAILED)
    enquiry = _of(session, entry)
    if enquiry.state == EnquiryState.SPAM:
        raise Conflict(messages.REPLY_TO_SPAM)
    _count_mail(session, actor)
    entry.failure = ""
    if entry.category == EntryCategory.REPLY:
        _await_answer(enquiry)
    _log(session, EnquiryAuditEvent.ENQUIRY_REPLIED, actor, enquiry)


def note_outcome(session: Session, mail_id: str, failure: str) -> None:
    """Note on its entry that a mail was sent, or why it has failed. A reply that was not delivered is no answer."""
    entry = session.execute(sa.select(EnquiryEntry).where(entries.mail_id == mail_id)).scalar()
    if entry is None:
        return
    had_failed = bool(entry.failure)
    entry.failure, entry.sent_at = failure, None if failure else now()
    enquiry = _of(session, entry)
    if entry.category != EntryCategory.REPLY or enquiry.state == EnquiryState.SPAM:
        return
    if failure:
        _count_as_failed(session, enquiry, entry)
    elif had_failed:  # it was sent again from the list of failed mail
        _await_answer(enquiry)


def _count_as_failed(session: Session, enquiry: Enquiry, entry: EnquiryEntry) -> None:
    """Open an enquiry again whose reply has failed, unless it is; its first reply is another one, or none."""
    others = sa.select(sa.func.min(entries.at)).where(entries.enquiry_id == enquiry.id, entries.id != entry.id)
    delivered = others.where(entries.category == EntryCategory.REPLY, entries.failure == "")
    first, other = enquiry.first_replied_at, session.execute(delivered).scalar()
    enquiry.first_replied_at = first if first and other and other <= first else other
    if enquiry.state in (EnquiryState.WAITING, EnquiryState.HANDLED):
        reopen(enquiry, now())


def add_note(session: Session, actor: Actor, enquiry_id: object, typed: object) -> None:
    """Add a note, which is never mailed. Raises `InvalidInput`."""
    enquiry = _begin(session, actor, enquiry_id)
    text = _text("note", typed, messages.NOTE_MISSING)
    _add(session, enquiry, EntryCategory.NOTE, text, actor)
    _log(session, EnquiryAuditEvent.ENQUIRY_NOTED, actor, enquiry)


def add_answer(session: Session, actor: Actor, enquiry_id: object, typed: object) -> None:
    """Add what the visitor has answered elsewhere: a waiting enquiry is open again. Raises `InvalidInput`."""
    enquiry = _begin(session, actor, enquiry_id)
    text = _text("answer", typed, messages.ANSWER_MISSING)
    _add(session, enquiry, EntryCategory.ANSWER, text, actor)
    if enquiry.state == EnquiryState.WAITING:
        reopen(enquiry, now())
    _log(session, EnquiryAuditEvent.ENQUIRY_NOTED, actor, enquiry)


def reopen(enquiry: Enquiry, at: datetime | None) -> None:
    """End the wait at a time: it is open, or new if nobody has it, and before all that is not overdue."""
    enquiry.state = EnquiryState.OPEN if enquiry.owner_id else EnquiryState.NEW
    enquiry.waiting_until, enquiry.handled_at = at, None


def remove_entry(session: Session, actor: Actor, entry_id: object) -> None:
    """Remove an own note, or a pasted answer with its effect, within ten minutes; else raises `Conflict`."""
    require(actor, SiteAction.CHANGE_ENQUIRIES)
    entry = load(session, EnquiryEntry, entry_id, gone(messages.REMOVE_FAILED))
    if not may_remove(entry, actor):
        raise Conflict(messages.NOT_REMOVABLE)
    entry.text, entry.removed_at = "", now()
    enquiry = _of(session, entry)
    of_enquiry = sa.select(EnquiryEntry).where(entries.enquiry_id == enquiry.id, entries.removed_at.is_(None))
    before = of_enquiry.where(entries.id != entry.id, entries.category != EntryCategory.NOTE)
    newest = session.execute(before.order_by(entries.id.desc()).limit(1)).scalar()
    waited = newest and newest.category == EntryCategory.REPLY and not newest.failure
    if waited and entry.category == EntryCategory.ANSWER:
        _await_answer(enquiry)
    _log(session, EnquiryAuditEvent.ENQUIRY_NOTED, actor, enquiry)


def may_remove(entry: EnquiryEntry, actor: Actor) -> bool:
    """Whether this person may still remove this entry."""
    is_own = entry.by == actor.user_id and entry.category in WRITTEN and entry.removed_at is None
    return may(actor, SiteAction.CHANGE_ENQUIRIES) and is_own and now() - entry.at < REMOVABLE


def delete(session: Session, actor: Actor, enquiry_id: object) -> None:
    """Delete an enquiry with its entries; raises `NotFound` if it was already deleted."""
    require(actor, SiteAction.CHANGE_ENQUIRIES)
    enquiry = load(session, Enquiry, enquiry_id, gone(messages.ENQUIRY_DELETE_FAILED))
    _log(session, EnquiryAuditEvent.ENQUIRY_DELETED, actor, enquiry)
    delete_record(session, actor, enquiry)


def _begin(session: Session, actor: Actor, enquiry_id: object) -> Enquiry:
    """The enquiry to change; no other transaction changes it before this one ends."""
    require(actor, SiteAction.CHANGE_ENQUIRIES)
    rate_limits.serialize(session, (columns.id.table.name, str(record_id(enquiry_id))))
    return load(session, Enquiry, enquiry_id, gone(messages.ENQUIRY_UPDATE_FAILED))


def _of(session: Session, entry: EnquiryEntry) -> Enquiry:
    """The enquiry of an entry, to change; see `_begin`."""
    rate_limits.serialize(session, (columns.id.table.name, str(entry.enquiry_id)))
    return load(session, Enquiry, entry.enquiry_id, messages.ENQUIRY_UPDATE_FAILED)


def _add(
    session: Session, enquiry: Enquiry, category: EntryCategory, text: str, actor: Actor, mail_id: str = ""
) -> None:
    assert enquiry.id is not None
    name = session.execute(sa.select(name_of(actor.user_id))).scalar_one()
    session.add(
        EnquiryEntry(
            enquiry_id=enquiry.id,
            category=category,
            by=actor.user_id,
            by_name=name,
            at=now(),
            text=text,
            mail_id=mail_id,
        )
    )


def _log(session: Session, audit_event: EnquiryAuditEvent, actor: Actor, enquiry: Enquiry) -> None:
    """Log an act by the enquiry's number, because the visitor's name must be deleted with the enquiry."""
    number, table = enquiry.id, columns.id.table.name
    activity.log(session, audit_event, f"enquiry {number}", by=actor.user_id, of_table=table, record_id=number)


def _text(name: str, typed: object, missing: str) -> str:
    text = clean_text(typed).strip()
    if not text:
        raise InvalidInput(missing, {name: missing})
    if len(text) > LONGEST:
        sentence = messages.ENTRY_TOO_LONG.format(limit=f"{LONGEST:,}")
        raise InvalidInput(sentence, {name: sentence})
    return text


def _words(text: str) -> set[str]:
    return {word.strip(punctuation).casefold() for word in text.split()} - {""}


def _taken(session: Session, actor: Actor, enquiry: Enquiry) -> str:
    """Who has the enquiry meanwhile, and since when."""
    is_own = enquiry.owner_id == actor.user_id
    name = texts.YOU if is_own else session.execute(sa.select(name_of(enquiry.owner_id))).scalar_one()
    if not name:
        return messages.GIVEN_BACK
    changes = sa.select(sa.func.max(entries.at)).where(entries.enquiry_id == enquiry.id)
    since = session.execute(changes.where(entries.category.in_((EntryCategory.CHANGE, EntryCategory.REPLY)))).scalar()
    return messages.TAKEN.format(name=name, ago=ago(now(), since or enquiry.created_at))
