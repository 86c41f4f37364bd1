"""Tests of pages of fixed copy."""
