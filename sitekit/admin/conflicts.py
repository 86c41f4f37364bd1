"""Why a form was not saved that others have to do with: somebody saved it first, or worked on it too."""

from dataclasses import dataclass

from ..base.errors import ConfirmationNeeded, Conflict, SavedSince
from ..base.times import iso_text
from .components.unsaved import OVERWRITE


@dataclass(frozen=True)
class EditConflict:
    """A conflict with another save: its message, and who saved and when (ISO text in UTC), if known.

    `draft` is the id of the draft that was saved. Or there is no message but a `question` about the work of
    others, with the label `yes`. `then` is what the form sends to save all the same.
    """

    text: str = ""
    name: str = ""
    at: str = ""
    draft: int = 0
    question: str = ""
    yes: str = ""
    then: str = OVERWRITE

    @classmethod
    def of(cls, error: Exception) -> "EditConflict":
        """The conflict of an error; empty for other errors."""
        if isinstance(error, ConfirmationNeeded):
            return cls(question=error.message, yes=error.yes)
        if isinstance(error, SavedSince):
            return cls(error.message, error.name, iso_text(error.at), error.draft)
        return cls(error.message) if isinstance(error, Conflict) else cls()
