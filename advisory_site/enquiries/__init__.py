"""What visitors send the firm: records, rules, service, screens."""
