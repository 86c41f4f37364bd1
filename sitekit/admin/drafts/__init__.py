"""Drafts and their previews."""
