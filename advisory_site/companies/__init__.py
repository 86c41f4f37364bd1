"""Portfolio companies: records, fields, service, screens."""
