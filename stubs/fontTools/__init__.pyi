# What tools/typefaces.py uses of it. It is not installed with what the site and its tests need.
