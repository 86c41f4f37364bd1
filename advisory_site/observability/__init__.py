"""Logs, metrics, health, memory."""
