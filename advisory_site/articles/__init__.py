"""Articles and cases: records, fields, service, screens."""
