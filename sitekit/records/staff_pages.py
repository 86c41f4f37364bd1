"""Where the records of a type are managed: the paths of its pages in the back office, without the list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StaffPages:
    """The paths of the form of a record with an id (or a slug), of that of a new one, and of the import.

    `new_page` is empty if staff add none.
    """

    edit_page: Callable[[Any], str]
    new_page: str
    import_page: str

    def new_page_with(self, parameter: str, value: Any) -> str:
        """The form of a new record with a query parameter; takes a string or a Reflex var."""
        return f"{self.new_page}{'&' if '?' in self.new_page else '?'}{parameter}={value}"


def pages_in(folder: str) -> StaffPages:
    """Pages that are all in one folder, such as `/admin/companies`."""
    return StaffPages(lambda record: f"{folder}/{record}/edit", f"{folder}/new", f"{folder}/import")
