"""Code that depends on internals of Reflex, which any version may change."""
