"""Components of the public pages: semantic HTML, no component library."""
