"""The texts of uploaded pictures."""

# Why a picture is refused
PICTURE_EMPTY = "This file is empty. Please choose another."
PICTURE_FORMAT = "Only JPEG, PNG, WebP, AVIF and HEIC pictures can be used."
PICTURE_UNREADABLE = "This picture can't be read: it is damaged or incomplete. Please save it again, or choose another."
PICTURE_ANIMATED = "Animated pictures can't be used. Please choose a still one."
PICTURE_TOO_LARGE = "This picture has more than 40 megapixels. Please save it in a smaller size."
PICTURE_TOO_SMALL = "This picture is too small: each side must have at least 16 pixels."
PICTURE_TOO_NARROW = "This picture is too long: one side may be at most 20 times as long as the other. Please crop it."
PICTURE_TOO_COMPLEX = "This picture takes too much memory or time. Please save it as a JPEG in a smaller size."
DISK_FULL = "The picture could not be saved, because the disk of the server is full. Please tell an admin."
PICTURE_FAILED = "This picture could not be processed. Please try again, or choose another."
