"""The database: engine, sessions, migrations, rate limits."""
