"""Passwords: hashed, checked, recovered and changed."""
