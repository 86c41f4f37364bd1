"""The pages of the back office that have no tab, and the tasks of the handbook, and who sees them."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from ..base import paths
from ..base.permissions import Action, AnyAction
from ..base.text import slugify_hyphenated
from . import texts


@dataclass(frozen=True)
class Place:
    """A page: its name, its address, its icon, and what a user must be allowed to do to open it, if anything."""

    name: str
    href: str
    icon: str = ""
    action: AnyAction | None = None


@dataclass(frozen=True)
class Task:
    """A task of the handbook: its title, what its reader must be allowed to do, and its steps.

    In a step, `**name**` is a button, by the constant that the button itself has, and `[name](address)` is a page. The
    pages in its steps, and those that it is done `at`, link to it, unless an earlier task has them.
    """

    title: str
    action: AnyAction
    at: Collection[str] = ()
    steps: tuple[str, ...] = ()

    @property
    def href(self) -> str:
        """Where it is in the handbook."""
        return f"{paths.ADMIN_HELP}#{slugify_hyphenated(self.title)}"

    def with_steps(self, *steps: str) -> "Task":
        """The same task with further steps."""
        return replace(self, steps=(*self.steps, *steps))

    def is_done_at(self, address: str) -> bool:
        """Whether the page at an address is one of its own."""
        return address in self.at or any(f"]({address})" in step for step in self.steps)


# Those of the kit; a site may have more.
PLACES = (
    Place(texts.PICTURES, paths.ADMIN_MEDIA, "picture", Action.READ_MEDIA),
    Place(texts.ACTIVITY, paths.ADMIN_ACTIVITY, "clock", Action.VIEW_OWN_ACTIVITY),
    Place(texts.TRASH, paths.ADMIN_TRASH, "trash"),
    Place(texts.PERSONAL_DATA, paths.ADMIN_PERSONAL_DATA, "shield", Action.MANAGE_PERSONAL_DATA),
)
