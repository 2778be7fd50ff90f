"""What is stored, as SQLAlchemy Core tables. The log is the truth; the rest follows from it or is about people."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

tables = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("slug", String(32), nullable=False, unique=True),
    Column("game", String(80), nullable=False),
    Column("version", Integer, nullable=False),  # of the rules that the table began under
    Column("box", String(80), nullable=False),  # hash of the box that the table began with
    Column("players", SmallInteger, nullable=False),
    Column("title", String(120), nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("clock", Text, nullable=False),  # JSON
    Column("talk", Boolean, nullable=False),
    Column("opened", Text, nullable=False, server_default="{}"),  # JSON: what was settled for the game's keepsake
    Column("seed", String(64), nullable=False),  # shown to nobody before the end
    Column("commitment", String(64), nullable=False),
    Column("host_hash", String(64), nullable=False, index=True),
    Column("status", String(12), nullable=False, index=True),  # waiting, playing, held, over
    Column("notice", Text, nullable=False, server_default=""),
    Column("created", Double, nullable=False),
    Column("ended", Double),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("kind", String(8), nullable=False),  # open, person, bot
    Column("name", String(60), nullable=False),
    Column("strength", String(20), nullable=False),
    Column("secret_hash", String(64), unique=True),  # SHA-256; the secret itself is nowhere but with its owner
)

log = Table(
    "log",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", SmallInteger, nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("action", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
    Column("text", Text),
    Column("body", Text),  # JSON
)

talk = Table(
    "talk",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seat", SmallInteger),
    Column("name", String(60), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    Index("ix_talk_table_id_id", "table_id", "id"),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("at", Double, nullable=False),
    Column("body", Text, nullable=False),  # JSON
)

workers = Table(
    "workers",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", Double, nullable=False),  # the last sign of life
)

downtimes = Table(
    "downtimes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("since", Double, nullable=False),
    Column("until", Double, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", String(128), nullable=False),
)
