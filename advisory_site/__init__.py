"""The website of a Singapore advisory firm: public pages and back office."""

__version__ = "0.1.0"
