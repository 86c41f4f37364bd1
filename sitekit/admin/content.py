"""The tables of which the activity and the finder know: those that staff fill."""

from ..records.features import features
from ..records.finding import Findable
from .pictures import library


def content() -> tuple[Findable, ...]:
    """The tables of the record types, of the site's other features, and of pictures."""
    findables = (record_type.findable for record_type in features().record_types)
    return (*findables, *features().findables, library.FINDABLE)
