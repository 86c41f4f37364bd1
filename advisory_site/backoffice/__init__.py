"""Base states and components of the back-office screens: lists, forms, the shell. Knows no feature."""
