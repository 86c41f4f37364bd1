"""Base states and components of the back-office screens: lists, forms, the shell. They do not depend on any feature."""
