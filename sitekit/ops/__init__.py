"""Operations: serve, check, backup, restore, copy, retention."""
