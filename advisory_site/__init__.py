"""The website of a Singapore advisory firm: public pages and back office."""
