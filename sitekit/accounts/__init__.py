"""Accounts: sign-up, sign-in, sessions, roles."""
