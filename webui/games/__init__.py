"""The ledger's room: tables, their rounds and who owes whom.

`room` has the blueprint, `views` the list and one table, `making` new tables and settings, `writing` rounds,
`evenings` everybody's record, `listed` the games to choose from, `glossary` each in words, `files` saving and
bringing in, `sheet_words` a CSV in words; `asked` reads requests, `rounds` makes rounds of them, `rules` asks the
scorer, `words` says it all.
"""

from webui.games import evenings, files, glossary, making, views, writing
from webui.games.room import blueprint

__all__ = ["blueprint", "evenings", "files", "glossary", "making", "views", "writing"]
