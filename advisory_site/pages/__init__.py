"""The pages of fixed copy: home, why us, what we do, how we work, legal, not found."""
