"""The drawings of the demo firm: marks, portraits and covers, as SVG made with the standard library."""
