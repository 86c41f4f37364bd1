"""Why a picture is refused, each reason with the sentence that staff see."""

from enum import Enum

from . import texts as texts


class PictureRefusal(Enum):
    """A reason to refuse a picture; the encoder names it, and its value is shown."""

    EMPTY = texts.PICTURE_EMPTY
    FORMAT = texts.PICTURE_FORMAT
    UNREADABLE = texts.PICTURE_UNREADABLE
    ANIMATED = texts.PICTURE_ANIMATED
    TOO_LARGE = texts.PICTURE_TOO_LARGE
    TOO_SMALL = texts.PICTURE_TOO_SMALL
    TOO_NARROW = texts.PICTURE_TOO_NARROW
    TOO_COMPLEX = texts.PICTURE_TOO_COMPLEX
    DISK_FULL = texts.NO_SPACE
    FAILED = texts.PICTURE_FAILED
