"""Second factors: authenticator apps, passkeys, recovery codes."""
