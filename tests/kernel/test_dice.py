"""Dice: the published stream, no bias, values, and what sealed dice prove."""

import hashlib
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.kernel import Dice, SealedDice, dice_from_dict

SEED = bytes(range(32))
SOURCES: list[Callable[[], Dice]] = [lambda: Dice(2026), lambda: SealedDice(SEED)]


def splitmix64(seed: int) -> Callable[[], int]:
    """The reference algorithm in plain unbounded integers."""
    mask = (1 << 64) - 1
    state = seed & mask

    def step() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    return step


@given(st.integers(-(1 << 70), 1 << 70))
def test_words_are_the_high_halves_of_splitmix64(seed: int) -> None:
    reference = splitmix64(seed)
    dice = Dice(seed)
    assert [reference() >> 32 for _ in range(20)] == [dice.word() for _ in range(20)]


def test_splitmix64_gives_its_published_first_value() -> None:
    assert splitmix64(1234567)() == 6457827717110365317
    assert Dice(1234567).word() == 6457827717110365317 >> 32


def test_sealed_words_are_the_published_construction() -> None:
    block = b"".join(
        hashlib.blake2b(counter.to_bytes(8, "little"), key=SEED, digest_size=64).digest() for counter in range(3)
    )
    expected = [int.from_bytes(block[i : i + 4], "little") for i in range(0, len(block), 4)]
    dice = SealedDice(SEED)
    assert expected == [dice.word() for _ in expected]


def test_commitment_is_the_sha_256_of_the_seed() -> None:
    assert SealedDice(SEED).commitment == hashlib.sha256(SEED).hexdigest()
    assert SealedDice().commitment != SealedDice().commitment


class Fixed(Dice):
    """Dice that give the words they are told to."""

    def __init__(self, words: list[int]) -> None:
        super().__init__(0)
        self.words = list(words)

    def word(self) -> int:
        return self.words.pop(0)


def test_below_rejects_exactly_the_words_that_would_bias() -> None:
    """2**32 mod 3 is 1, so one word of 2**32 must be drawn again: the one whose product is 0 mod 2**32."""
    assert Fixed([0, 1]).below(3) == 0
    dice = Fixed([0, 0, 1 << 31, 77])
    assert (dice.below(3), dice.words) == (1, [77])
    assert Fixed([0]).below(4) == 0  # a power of two divides evenly: nothing to reject


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 27, 100])
def test_below_is_in_range_and_even(source: Callable[[], Dice], n: int) -> None:
    dice = source()
    counts = Counter(dice.below(n) for _ in range(400 * n))
    assert set(counts) == set(range(n))
    chi_square = sum((count - 400) ** 2 / 400 for count in counts.values())
    assert chi_square < (n - 1) + 6 * (2 * n) ** 0.5  # six standard deviations above its mean; seeds are fixed


@pytest.mark.parametrize("n", [0, -1, 1 << 31])
def test_below_refuses_what_it_cannot_draw_evenly(n: int) -> None:
    with pytest.raises(ValueError, match="from 1 to"):
        Dice(0).below(n)


@pytest.mark.parametrize("source", SOURCES)
def test_shuffle_reaches_every_order_evenly(source: Callable[[], Dice]) -> None:
    dice = source()
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(24 * 200):
        items = [0, 1, 2, 3]
        dice.shuffle(items)
        counts[tuple(items)] += 1
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 23 + 6 * 48**0.5


@pytest.mark.parametrize("source", SOURCES)
def test_sample_draws_different_numbers_evenly(source: Callable[[], Dice]) -> None:
    dice = source()
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(20 * 200):
        drawn = dice.sample(5, 2)
        assert len(set(drawn)) == 2
        counts[tuple(drawn)] += 1
    assert len(counts) == 20
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 19 + 6 * 40**0.5


def test_sample_of_more_than_there_are_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot draw 3 different numbers out of 2"):
        Dice(0).sample(2, 3)


@pytest.mark.parametrize("source", SOURCES)
@given(drawn=st.integers(0, 40))
def test_a_clone_draws_what_the_original_draws_and_leaves_it_alone(source: Callable[[], Dice], drawn: int) -> None:
    dice = source()
    for _ in range(drawn):
        dice.word()
    copy = dice.clone()
    foreseen = [copy.word() for _ in range(40)]
    assert copy != dice
    assert foreseen == [dice.word() for _ in range(40)]
    assert copy == dice


@pytest.mark.parametrize("source", SOURCES)
def test_dice_go_on_from_their_dict_form(source: Callable[[], Dice]) -> None:
    dice = source()
    for _ in range(21):
        dice.word()
    again = dice_from_dict(dice.to_dict())
    assert dice == again
    assert [dice.word() for _ in range(20)] == [again.word() for _ in range(20)]


@pytest.mark.parametrize("source", SOURCES)
def test_a_fork_is_another_stream(source: Callable[[], Dice]) -> None:
    dice = source()
    forks = [dice.fork().word() for _ in range(50)]
    assert len(set(forks)) == 50


@pytest.mark.parametrize(
    "document",
    [None, {}, {"kind": "plain"}, {"kind": "sealed", "seed": "xyz"}, {"kind": "sealed", "seed": "ab", "drawn": 0}],
)
def test_broken_dict_forms_are_refused_in_a_sentence(document: object) -> None:
    with pytest.raises(ValueError, match=r"sealed seed|dice are written"):
        dice_from_dict(document)
