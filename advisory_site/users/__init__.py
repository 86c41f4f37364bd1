"""The users tab, and each user's own profile and settings pages."""
