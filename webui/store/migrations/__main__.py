"""Write a new migration from what `webui.store.schema` has and the last migration has not.

python -m webui.store.migrations "decks remember their maker"
"""

import sys

from alembic import command
from alembic.config import Config

from webui.store.engine import MIGRATIONS, Store


def main(message: str) -> None:
    """Compare an empty, migrated database with the schema and write the difference as a migration."""
    store = Store("sqlite://")
    store.migrate()
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
    with store.engine.connect() as connection:
        config.attributes["connection"] = connection
        command.revision(config, message, autogenerate=True)


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or sys.exit("say what changes"))
