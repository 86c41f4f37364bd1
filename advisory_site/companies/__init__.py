"""Portfolio companies: records, rules, service, screens."""
