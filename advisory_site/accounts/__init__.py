"""Who people are: sign-up, sign-in, sessions, roles."""
