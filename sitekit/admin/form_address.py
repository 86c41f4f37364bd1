"""Where the form of a record is: on a page of its own, or named by a parameter, as in a dialog over a list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from ..records.record_form import RecordForm

EDIT = "edit"


class FormAddress:
    """A page of the form's own, whose path names the record; reads the address of a form's state."""

    def shown(self, state: Any) -> str:
        """The address of the open form."""
        return str(state.router.url.path)

    def record(self, state: Any) -> str:
        """The record in the address: its id or its slug; empty for a new one."""
        # Reflex adds these to the root state, because routes contain `[slug]` and `[id]`.
        return str(getattr(state, "slug" if state.record_type.is_edited_by_slug else "id"))

    def of(self, state: Any, form: RecordForm) -> str:
        """The address at which the record of a form is edited."""
        return str(state.record_type.form_page(form.id, form.texts["slug"]))

    def path(self, _state: Any, address: str, parameters: dict[str, str]) -> str:
        """The path that leads to an address, with the parameters of the list."""
        return f"{address}?{urlencode(parameters)}" if parameters else address


@dataclass(frozen=True)
class ParameterAddress(FormAddress):
    """The parameter `EDIT` of a page, which `page` gives by a state and all parameters; `new` names a new record."""

    page: Callable[[Any, dict[str, str]], str]
    new: str = ""

    def shown(self, state: Any) -> str:
        return str(state.router.url.query_parameters.get(EDIT, ""))

    def record(self, state: Any) -> str:
        address = self.shown(state)
        return "" if address == self.new else address

    def of(self, _state: Any, form: RecordForm) -> str:
        return str(form.id)

    def path(self, state: Any, address: str, parameters: dict[str, str]) -> str:
        return self.page(state, parameters | {EDIT: address})
