"""The core team: records, rules, service, screens."""
