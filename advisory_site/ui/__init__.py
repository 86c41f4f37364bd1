"""Components that know no feature."""
