"""A kit for Reflex sites: complete HTML, records with history, a back office, accounts, operations."""
