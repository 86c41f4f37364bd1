"""What the public pages of this firm are drawn with."""
