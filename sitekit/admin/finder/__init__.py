"""The finder of the back office."""
