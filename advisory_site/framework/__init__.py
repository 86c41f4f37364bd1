"""What builds on parts of Reflex that it does not promise to keep."""
