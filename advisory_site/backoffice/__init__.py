"""What the screens of the back office share: lists, forms, the shell. Knows no feature."""
