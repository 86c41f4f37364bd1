"""Components that do not depend on any feature."""
