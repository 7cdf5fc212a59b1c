"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = "${up_revision}"
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Go from the revision before to this one."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Go back to the revision before."""
    ${downgrades if downgrades else "pass"}
