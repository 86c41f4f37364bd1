"""What a site hands to the back office at start: its brand, its tabs, its places and what the finder finds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import reflex as rx

from ..records.finding import Findable
from ..records.record_type import AnyRecordType
from .places import Place, Task


@dataclass(frozen=True, kw_only=True, eq=False)
class Office:
    """The back office of a site.

    `brand_mark` stands in the header, `logo` with its label on the sign-in pages, and `header_link` beside the account
    menu. `tabs` has the labels of the tabs by their names in the address, `places` the other pages of the strip. The
    finder finds the rows of `findables` beside those of the features, `pages`, and `acts`, which are pages too. `tasks`
    are those of the handbook, in its order.
    """

    brand_mark: Callable[[], rx.Component]
    logo: Callable[[str], rx.Component]
    header_link: Callable[[], rx.Component]
    tabs: Mapping[str, str]
    places: tuple[Place, ...]
    findables: tuple[Findable, ...]
    pages: tuple[Place, ...]
    acts: tuple[Place, ...]
    tasks: Callable[[], tuple[Task, ...]]

    def list_label(self, record_type: AnyRecordType) -> str:
        """What the list of a record type is called in the strip."""
        return self.tabs.get(record_type.tab) or next(
            place.name for place in self.places if place.href == record_type.list_path
        )


_in_use: Office | None = None


def use(given: Office) -> None:
    """Take the back office of the site. Called once, before its pages are made."""
    global _in_use
    _in_use = given


def office() -> Office:
    """The back office of the site."""
    if _in_use is None:
        raise RuntimeError("The site has to hand over its back office first: sitekit.admin.office.use().")
    return _in_use
