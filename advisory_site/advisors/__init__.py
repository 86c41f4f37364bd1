"""The advisory network: records, fields, service, screens."""
