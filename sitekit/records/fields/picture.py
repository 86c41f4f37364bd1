"""The address of a picture, uploaded or elsewhere, and what describes an uploaded one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlmodel import Session

from ...base import messages
from ...base.errors import InvalidInput
from ...base.permissions import Actor
from ...base.text import image_url, is_image_url, one_line, text_list
from ..edits import Edit
from ..form_fields import LONG, read_text
from ..pictures import held, texts
from ..pictures.addresses import PREFIX, key_of
from ..record import Publishing
from ..record_form import RecordForm
from .changes import PICTURE, Change
from .field_type import FieldType
from .flag import FlagField
from .line import LONGEST_URL, LineField


@dataclass(frozen=True, eq=False)
class PictureField(FieldType):
    """The address of a picture, which an upload can fill in: its shape, and what visitors see if there is none."""

    shape: Literal["portrait", "logo", "mark", "cover"]
    placeholder: str = ""

    @property
    def is_described(self) -> bool:
        """Whether it needs a description; portraits and logos are described by their record."""
        return self.shape == "cover"

    @property
    def more_inputs(self) -> Mapping[str, FieldType]:
        found: dict[str, FieldType] = {held.FINDING: LineField()}
        description = {held.ALT: LineField(), held.DECORATIVE: FlagField(), held.VERSION: LineField(limit=LONG)}
        return found | description if self.is_described else found

    def read(self, value: object) -> str:
        address = read_text(one_line, LONGEST_URL, value)
        if address and not is_image_url(address):
            raise ValueError(messages.IMAGE_INVALID)
        return address

    def public(self, value: str | None) -> str:
        return image_url(value)

    def complete(self, session: Session | None, form: RecordForm, name: str, record: Any) -> None:
        """Fill in what is known of the picture: its description if it is an uploaded one, and whether it answered."""
        address = form.texts[name]
        form.texts[name + held.FINDING] = held.NO_PICTURE if address in text_list(record.unanswered) else ""
        if self.is_described:
            key = key_of(address)
            description = held.descriptions(session, {key}).get(key) if session and key else None
            current = description or held.Description()
            form.texts[name + held.ALT] = current.alt
            form.texts[name + held.DECORATIVE] = "on" if current.is_decorative else ""
            form.texts[name + held.VERSION] = current.version if description else ""

    def check(self, name: str, values: Mapping[str, Any], *, is_public: bool) -> dict[str, str]:
        given = self.typed_description(name, values)
        if given and key_of(values.get(name) or "") and (is_public or not given.is_missing):
            return {name + held.ALT: problem} if (problem := given.problem()) else {}
        return {}

    def prepare(self, session: Session, actor: Actor, name: str, edits: Sequence[Edit]) -> None:
        """Keep the pictures that records begin to show from being deleted, and save the descriptions that changed.

        Raises `InvalidInput` for a picture that is gone.
        """
        keys = [key_of(edit.values.get(name) or "") for edit in edits]
        kept = held.hold(session, {*keys} - {""}) | {""}
        for row, key in enumerate(keys):
            if key not in kept:
                raise InvalidInput(messages.PICTURE_GONE, {name: messages.PICTURE_GONE}, row)
        for typed in (edit.typed for edit in edits):
            given = self.typed_description(name, typed)
            key = key_of(typed.get(name) or "")
            if key and given and not given.is_missing and given.version != typed[name + held.VERSION]:
                held.describe(session, actor, key, given, name + held.ALT)

    def check_shown(self, session: Session, publishing: Publishing, name: str, edits: Sequence[Edit]) -> None:
        """Refuse an uploaded picture without a description.

        All pictures of a new record are new. What a public record shows already may stay.
        """
        if not self.is_described:
            return
        keys = [self._newly_shown(publishing, name, edit) for edit in edits]
        missing = held.undescribed(session, {*keys} - {""})
        for row, (key, edit) in enumerate(zip(keys, edits, strict=True)):
            if key in missing:
                sentence = texts.UNDESCRIBED.format(name=edit.values.get("name") or edit.record.name)
                raise InvalidInput(sentence, {name + held.ALT: texts.DESCRIBE}, row)

    def _newly_shown(self, publishing: Publishing, name: str, edit: Edit) -> str:
        """The key of the uploaded picture that visitors begin to see; empty for none."""
        stored = {} if edit.is_new else {column: getattr(edit.record, column) for column in (publishing.column, name)}
        before = held.shown_keys(publishing, [name], stored)
        after = held.shown_keys(publishing, [name], stored | edit.values)
        return after.get(name, "") if after != before else ""

    def compare(self, name: str, label: str, old: object, new: object) -> Change | None:
        change = super().compare(name, label, old, new)
        if change is None:
            return None
        old_picture, new_picture = _loadable(change.old), _loadable(change.new)
        return replace(change, category=PICTURE, shape=self.shape, old_picture=old_picture, new_picture=new_picture)

    def typed_description(self, name: str, values: Mapping[str, Any]) -> held.Description | None:
        """The description in a form; None if nothing was typed over an empty one."""
        given = held.Description(values.get(name + held.ALT, ""), values.get(name + held.DECORATIVE, False))
        return None if given.is_missing and not values.get(name + held.VERSION) else given


def unanswered_after(names: Iterable[str], typed: Mapping[str, Any], unanswered: object) -> list[str]:
    """The addresses that do not answer with a picture: `unanswered`, and what the browser found at those it saves.

    A form that says nothing about an address changes nothing. An uploaded picture is never among them.
    """
    findings = {typed[name]: typed[name + held.FINDING] for name in names}
    lost = [
        address
        for address, finding in findings.items()
        if finding == held.NO_PICTURE and address and not address.startswith(PREFIX)
    ]
    still = [address for address in text_list(unanswered) if findings.get(address) not in held.FINDINGS]
    return [*still, *lost][-held.MOST_UNANSWERED :]


def _loadable(address: str) -> str:
    """The address of a picture if the back office may load it: over https, or from this site."""
    return "" if address.startswith("http:") else image_url(address)
