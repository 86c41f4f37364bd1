"""Enquiries of visitors: records, form, service, screens."""
