"""The firm, the copy of fixed pages, and replies, as frozen dataclasses."""
