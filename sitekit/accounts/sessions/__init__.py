"""Sign-in, sessions and their devices, and reauthentication."""
