"""Logs, metrics, traces, error tracker, health, memory."""
