"""What all records share: form fields, saving, lists, slug redirects."""
