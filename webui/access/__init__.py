"""Who may come in: the server, its certificates and TLS, pairing of phones, what an answer forbids."""
