"""The kinds of fields of records, one module each."""
