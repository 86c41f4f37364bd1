"""The drawings of the demo firm: marks, portraits and covers, as SVG made of the standard library alone."""
