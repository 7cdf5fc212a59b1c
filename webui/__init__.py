"""paiyan."""
