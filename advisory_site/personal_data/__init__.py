"""What is held about an email address: found, shown, exported and erased."""
