"""The pages of the back office that have no tab, and who may open them."""

from dataclasses import dataclass

from ..base import paths
from ..base.permissions import Action, AnyAction
from . import texts


@dataclass(frozen=True)
class Place:
    """A page: its name, its address, its icon, and what a user must be allowed to do to open it, if anything."""

    name: str
    href: str
    icon: str = ""
    action: AnyAction | None = None


# Those of the kit; a site may have more.
PLACES = (
    Place(texts.PICTURES, paths.ADMIN_MEDIA, "picture", Action.READ_MEDIA),
    Place(texts.ACTIVITY, paths.ADMIN_ACTIVITY, "clock", Action.VIEW_OWN_ACTIVITY),
    Place(texts.TRASH, paths.ADMIN_TRASH, "trash"),
    Place(texts.PERSONAL_DATA, paths.ADMIN_PERSONAL_DATA, "shield", Action.MANAGE_PERSONAL_DATA),
)
