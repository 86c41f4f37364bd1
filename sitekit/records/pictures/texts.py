"""The texts of uploaded pictures."""

from types import MappingProxyType

# Why a picture is refused
PICTURE_EMPTY = "This file is empty. Please choose another."
PICTURE_FORMAT = "Only JPEG, PNG, WebP, AVIF and HEIC pictures can be used."
PICTURE_UNREADABLE = "This picture can’t be read: it is damaged or incomplete. Please save it again, or choose another."
PICTURE_ANIMATED = "Animated pictures can’t be used. Please choose a still one."
PICTURE_TOO_LARGE = "A JPEG may have 100 megapixels, any other picture 64. Please save it at a smaller size."
PICTURE_TOO_SMALL = "This picture is too small: each side must have at least 16 pixels."
PICTURE_TOO_NARROW = "This picture is too long: one side may be at most 20 times as long as the other. Please crop it."
PICTURE_TOO_COMPLEX = "This picture takes too much memory or time. Please save it as a JPEG at a smaller size."
NO_SPACE = "The picture could not be saved, because the disk of the server is full. Please tell an admin."
PICTURE_FAILED = "This picture could not be processed. Please try again, or choose another."

# The store of pictures. Staff read the sentences, admins also the reasons.
STORE_AWAY = "The pictures cannot be reached at the moment. Please try again in a few minutes."
STORE_BROKEN = "The pictures cannot be reached. Please tell an admin."
STORE_FULL = "There is no space left for pictures. Please tell an admin."
STORE_REASON = "a picture cannot be {done}: {why}"

# Answers to an upload
NOT_AN_UPLOAD = "A picture is sent with POST."
NOT_SIGNED_IN = "You are not signed in any more. Please sign in again."
TOO_LARGE = "This picture is too large. It may have at most 25 MB."
TOO_MANY_UPLOADS = "Several of your pictures are being uploaded already. Please wait until they are done."
INTERRUPTED = "The upload was interrupted. Please try again."
NOT_STORED = "The picture could not be stored. Please try again."
BUSY = "Too many pictures are being uploaded at the moment. Please try again in a minute."

# The description of a picture
ALT = "Description"
ALT_HINT = "Describe the picture for people who cannot see it."
ALT_SHARED_HINT = f"{ALT_HINT} Shared by every record that uses it."
LEGENDS = MappingProxyType({"portrait": "Portrait", "logo": "Logo", "mark": "Square mark", "cover": "Cover"})
CAPTION = "{legend} of {name}"
IS_DECORATIVE = "Decorative, no description needed"
DESCRIBE = "Describe the picture, or mark it as decorative."
NOT_A_FILE_NAME = "This is the name of a file. Say what the picture shows, as you would on the phone."
UNDESCRIBED = (
    "{name} cannot be public: its picture needs a description, or must be marked as decorative. You can do either in "
    "the record’s form or under Pictures."
)
UNDESCRIBED_CELL = "This picture needs a description before visitors may see it. Please describe it under Pictures."

# The control of an image field
PREVIEW = MappingProxyType(
    {
        "missing": "There is no picture at this address.",
        "unanswered": (
            "Saved, but there is no picture at this address. Visitors see none until there is one and you save again."
        ),
        "answered": "There is a picture at this address now. Visitors see it once you save.",
        "checking": "Looking for the picture at this address...",
        "remove": "Remove",
        "address": "Use an address instead",
        # What else is shown of a picture of this shape
        "portrait": "Beside a name",
        "cover": "On a phone",
        "logo": "In lists.",
        "wide": "If it cannot be recognised there, add a square mark.",
        # The frame
        "frame": "Visible part",
        "hint": "Drag the frame, or use the arrow keys, and + and - to zoom.",
        "value": "{x}% from the left, {y}% from the top, enlarged {zoom} times",
        "zoom": "Zoom",
        "times": "{zoom} times",
    }
)
PICKER = MappingProxyType(
    {
        "choose": "Choose a picture",
        "drop": "or drop or paste it here.",
        "limit": "At most 25 MB.",
        "cancel": "Cancel upload",
        "again": "Try again",
        "progress": "Upload",
        "waiting": "Waiting for another upload...",
        "uploading": "Uploading...",
        "preparing": "Preparing...",
        "added": "Uploaded. Save to publish it.",
        "cancelled": "Upload cancelled.",
        "wait": "Wait until the picture is uploaded, or cancel it.",
        "several": "Please choose one picture at a time.",
        "empty": PICTURE_EMPTY,
        "format": PICTURE_FORMAT,
        "tooLarge": TOO_LARGE,
        "lost": "The picture could not be uploaded. Please check your connection and try again.",
        "signedOut": "You are signed out. Please sign in again in another tab, then try again here.",
        "notAllowed": "Your role does not allow uploading pictures.",
        "tooMany": "Too many uploads at once. Please wait a moment and try again.",
        "unavailable": "Pictures cannot be uploaded at the moment. Please try again.",
        "failed": "The picture could not be uploaded. Please try again.",
    }
)
