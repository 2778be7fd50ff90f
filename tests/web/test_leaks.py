"""N3, R9–R11: nothing leaks, over every channel, on bytes.

At positions all along random games everything that a viewer cannot know is made otherwise (`worlds`), and then every
byte that the viewer could fetch or is sent is compared, sizes included (`channels`).
"""

from __future__ import annotations

import random

import pytest

from parlour.kernel import Dice
from parlour.table.seating import digest
from parlour.table.timeline import position_after
from tests.table.places import SOAK
from tests.web.evening import Evening, compared, house_of_secrets
from tests.web.subjects import BIDS

pytestmark = pytest.mark.anyio
SEEDS, POSITIONS = (10, 200) if SOAK else (3, 50)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(SEEDS))
async def test_n3_every_channel_tells_the_same_about_what_is_hidden(sqlite: str, seed: int) -> None:
    """Pages, streams, patches, JSON, log, undo and votes, refusals, sizes, spectators, reconnection, the end."""
    assert POSITIONS == await compared(sqlite, BIDS, seed, POSITIONS)


@pytest.mark.parametrize("seed", range(4))
async def test_n3_the_past_shows_no_more_than_the_present_did(sqlite: str, seed: int) -> None:
    """The scrubber's views of each earlier position are the same when what was hidden then is dealt anew."""
    rng = random.Random(seed)
    async with house_of_secrets(sqlite) as (site, clock):
        evening = await Evening.begin(site, clock, BIDS, rng)
        for _ in range(12):
            await evening.go_on()
        for ply, (step, _) in enumerate(evening.play.timeline[:-1]):
            for look in evening.looks[:3]:
                address = f"/api/tables/{evening.table.slug}?at={ply}"
                before = await evening.wire.ask("GET", address, look.headers)
                kept = step.state
                step.state = position_after(step).resample(evening.hidden[look.seat].viewer, Dice(rng.getrandbits(60)))
                assert 200 == before.status
                assert before == await evening.wire.ask("GET", address, look.headers)
                step.state = kept


async def test_secrets_of_seats_are_in_nobody_elses_bytes(sqlite: str) -> None:
    """R10, R40: no channel of one viewer holds another's secret, its hash, the host's, the seed, or the dice."""
    async with house_of_secrets(sqlite) as (site, clock):
        evening = await Evening.begin(site, clock, BIDS, random.Random(1))
        table, secrets = evening.table, evening.secrets
        for look in evening.looks:
            told = b"".join((await evening.everything(look)).values())
            others = [secret for seat, secret in enumerate(secrets) if seat != look.seat]
            for hidden in (*others, *map(digest, secrets), table.host_hash, table.seed.hex()):
                assert hidden.encode() not in told
