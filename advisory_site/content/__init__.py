"""The firm's facts, the copy of fixed pages, and replies."""
