"""The pages of fixed copy: home, why us, what we do, how we work, meet our team, legal, not found."""
