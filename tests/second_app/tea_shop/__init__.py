"""A Reflex app that has nothing to do with the firm, served by the same `ssr` and `http`."""
