"""What visitors read: page copy and replies, as frozen dataclasses."""
