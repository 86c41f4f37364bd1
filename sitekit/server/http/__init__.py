"""Security headers, CSP, request log, static files, form posts, socket limits."""
