"""The app: a page, the app object with its middleware and background tasks, and the pages of every back office."""
