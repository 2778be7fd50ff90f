"""What is settled for a game's keepsake when a table opens."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("opened", sa.Text(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("tables", "opened")
