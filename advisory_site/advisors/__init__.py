"""The advisory network: records, rules, service, screens."""
