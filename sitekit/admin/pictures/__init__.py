"""The page of uploaded pictures, and uploads."""
