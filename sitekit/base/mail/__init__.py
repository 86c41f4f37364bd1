"""Mail: the table, the outbox, the worker and the transport."""
