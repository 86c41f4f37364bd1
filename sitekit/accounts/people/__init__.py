"""People with an account: sign-up, roles, and what admins do to them."""
