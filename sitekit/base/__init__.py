"""What everything else builds on: settings, errors, permissions, routes, text, threads."""
