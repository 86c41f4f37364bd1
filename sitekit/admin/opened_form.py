"""What the form of a record shows when it is opened, and after a save: its values, its draft, and what is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlmodel import Session

from ..base.permissions import Actor
from ..base.times import iso_text
from ..records import drafts, history
from ..records.drafts import DraftMark
from ..records.record_form import RecordForm
from ..records.record_type import AnyRecordType
from ..records.saving import LastSave
from .components.unsaved import DRAFT

# The parameter of a new record's address that names the record whose values it begins with.
COPY = "copy"
# The parameter of a record's address with the number of the revision whose values its form begins with.
REVISION = "revision"


@dataclass(frozen=True)
class ShownRevision:
    """The revision whose values a form shows: its number, when it was saved (ISO text in UTC) and by whom."""

    number: int = 0
    at: str = ""
    name: str = ""


@dataclass(frozen=True)
class OpenedForm:
    """A form with the record's last save, its draft, the revision whose values it shows, and what is wrong in these.

    `source` is the parameter of the address that its values are from, empty for those of the record. `said` is the
    reply to saving the draft.
    """

    form: RecordForm
    saved: LastSave = field(default_factory=LastSave)
    draft: DraftMark = field(default_factory=DraftMark)
    revision: ShownRevision = ShownRevision()
    wrong: dict[str, str] = field(default_factory=dict)
    source: str = ""
    said: str = ""


class FormReader:
    """Reads the form of a record. A record type whose forms begin otherwise overrides `blank` or `complete`."""

    def __init__(self, session: Session, actor: Actor, record_type: AnyRecordType) -> None:
        self.session, self.actor, self.record_type = session, actor, record_type

    def blank(self) -> RecordForm:
        """The form of a new record."""
        return self.record_type.blank_form()

    def complete(self, form: RecordForm) -> RecordForm:
        """The form of a stored record as it is shown."""
        return form

    def open(self, id_or_slug: str, query: Mapping[str, str]) -> OpenedForm:
        """The form of a record, of one of its revisions, of a copy or a draft of a new record, or a blank one."""
        revision, draft, copied = query.get(REVISION, ""), query.get(DRAFT, ""), query.get(COPY)
        if id_or_slug and revision:
            return self._of_revision(id_or_slug, revision)
        if id_or_slug:
            return self._with_draft(self.record_type.get_for_edit(self.session, self.actor, id_or_slug), draft)
        if copied:
            form = self.record_type.copied_form(self.session, self.actor, copied)
            return OpenedForm(drafts.form_with(form, None), source=f"{COPY}={copied}")
        return self.draft(0, draft) if draft else OpenedForm(drafts.form_with(self.blank(), None))

    def stored(self, record: int, draft: str) -> OpenedForm | None:
        """The form of a record, with the draft if `draft` in the address chooses it; None if the record is gone."""
        form = self.record_type.get_stored(self.session, self.actor, record)
        return self._with_draft(form, draft) if form else None

    def draft(self, record: int, draft_id: object) -> OpenedForm:
        """The form of a draft that was saved; `record` is 0 for that of a new record."""
        stored = self.record_type.get_stored(self.session, self.actor, record) if record else None
        draft = drafts.get(self.session, self.actor, self.record_type, draft_id)
        saved = self._last_save(record) if record else LastSave()
        return OpenedForm(
            drafts.form_with(stored or self.record_type.blank_form(), draft),
            saved,
            drafts.mark(draft, self.actor, is_public=saved.page != ""),
            wrong=drafts.wrong_inputs(self.session, self.actor, self.record_type, draft, stored),
            source=f"{DRAFT}={draft.id}",
            said=drafts.saved_text(draft),
        )

    def _of_revision(self, id_or_slug: str, number: str) -> OpenedForm:
        form, line = history.form_of_revision(self.session, self.actor, self.record_type, id_or_slug, number)
        revision = ShownRevision(line.number, iso_text(line.at), line.by_name)
        source = f"{REVISION}={line.number}"
        return OpenedForm(drafts.form_with(form, None), self._last_save(form.id), revision=revision, source=source)

    def _with_draft(self, stored: RecordForm, chosen: str) -> OpenedForm:
        """The form with the draft of its record, unless it is somebody else's and not chosen."""
        form, saved = self.complete(stored), self._last_save(stored.id)
        draft = drafts.of_record(self.session, self.actor, self.record_type, form.id)
        if draft is None:
            return OpenedForm(drafts.form_with(form, None), saved)
        is_chosen = chosen == str(draft.id)
        is_beside = draft.inputs is not None and draft.by != self.actor.user_id and not is_chosen
        mark = drafts.mark(draft, self.actor, is_public=saved.page != "", is_beside=is_beside)
        if is_beside:
            return OpenedForm(drafts.form_with(form, None), saved, mark)
        wrong = drafts.wrong_inputs(self.session, self.actor, self.record_type, draft, form)
        source = f"{DRAFT}={chosen}" if is_chosen else ""
        return OpenedForm(drafts.form_with(form, draft), saved, mark, wrong=wrong, source=source)

    def _last_save(self, record: int) -> LastSave:
        return self.record_type.last_save(self.session, self.actor, record)
