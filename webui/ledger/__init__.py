"""The ledger of one table: what was played, as an append-only log, and everything worked out from it.

Nothing here knows of a database or of the web. `changes` are the events, `wire` their JSON, `fold` works a
table out of its events, `turns` moves the dealer and the sitter, `transfers` settles up, `exchange` reads and
writes files, `chart` lays the evening out as lines.
"""
