"""The commands of `paiyan`: from photos, from hands in writing, and what they print."""
