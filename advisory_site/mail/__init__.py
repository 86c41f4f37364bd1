"""Mail: the transport and the outbox."""
