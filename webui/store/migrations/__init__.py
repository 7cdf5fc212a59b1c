"""The migrations of the database, from the first tables on."""
