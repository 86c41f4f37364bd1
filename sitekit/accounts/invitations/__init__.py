"""Invitations: sent, listed, accepted."""
