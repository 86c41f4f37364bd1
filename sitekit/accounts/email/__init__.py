"""Mailed links, and changes of the email address."""
