"""What stands around the app: headers, limits, health."""
