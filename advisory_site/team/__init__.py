"""The core team: records, fields, service, screens."""
