"""The contact form: its page, its state, and the form without scripts."""
