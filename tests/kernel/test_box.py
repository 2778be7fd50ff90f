"""The box: what is refused, and where."""

from pathlib import Path

import msgspec
import pytest

from parlour.kernel import Box, BoxError


class District(msgspec.Struct, forbid_unknown_fields=True):
    bonus: int
    name: str
    provenance: str = ""


class Spec(msgspec.Struct, forbid_unknown_fields=True):
    districts: dict[str, District]
    table: list[int]
    provenance: str = ""


def no_negative(spec: Spec) -> None:
    for name, district in spec.districts.items():
        if district.bonus < 0:
            raise BoxError(f"districts.{name}.bonus", "a bonus is 0 or more.")


DOCUMENT = {
    "provenance": "house",
    "districts": {"banking": {"bonus": 5, "name": "Banking", "provenance": "rulebook p. 3"}},
    "table": [0, 1, 3],
}


def box() -> Box[Spec]:
    return Box(DOCUMENT, Spec, no_negative)


def test_a_number_can_be_set_by_its_dotted_key() -> None:
    changed = box().with_sets(["districts.banking.bonus=4", "table.2=7", "districts.banking.name=Banks"])
    assert (
        changed.spec.districts["banking"].bonus,
        changed.spec.districts["banking"].name,
        changed.spec.table,
    ) == (4, "Banks", [0, 1, 7])
    assert box().spec.districts["banking"].bonus == 5
    assert changed.hash != box().hash


def test_the_hash_names_what_matters_to_play() -> None:
    assert box().hash == box().hash
    assert box().hash == Box({**DOCUMENT, "provenance": "derived"}, Spec).hash


@pytest.mark.parametrize(
    ("change", "key", "sentence"),
    [
        ("districts.bankin.bonus=4", "districts.bankin.bonus", "Did you mean banking?"),
        ("nothing=4", "nothing", "It has: provenance, districts, table"),
        ("districts.banking.bonus=many", "districts.banking.bonus", "a whole number (5)"),
        ("districts.banking.bonus=true", "districts.banking.bonus", "a whole number (5)"),
        ("districts.banking.bonus=-1", "districts.banking.bonus", "a bonus is 0 or more."),
        ("districts.banking.bonus", "districts.banking.bonus", "KEY=VALUE"),
        ("table.9=1", "table.9", "no “9” in table"),
    ],
)
def test_a_wrong_change_is_refused_in_a_sentence(change: str, key: str, sentence: str) -> None:
    with pytest.raises(BoxError) as caught:
        box().with_sets([change])
    assert key == caught.value.key
    assert sentence in caught.value.sentence


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({**DOCUMENT, "extra": 1}, "unknown field"),
        ({**DOCUMENT, "table": ["x"]}, "table"),
        ({**DOCUMENT, "provenance": "hearsay"}, "begins with one of rulebook, derived, public, house"),
    ],
)
def test_a_wrong_document_is_refused(document: dict[str, object], said: str) -> None:
    with pytest.raises(BoxError, match=said):
        Box(document, Spec)


def test_a_file_that_is_missing_or_not_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="cannot be read"):
        Box.load(tmp_path / "none.toml", Spec)
    (tmp_path / "broken.toml").write_text("a = ")
    with pytest.raises(BoxError, match="not TOML"):
        Box.load(tmp_path / "broken.toml", Spec)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = " + "[" * 5000, "its brackets are nested too deep."),
        ("x = [[", "this is not TOML"),
        (b"\xff", "a box is text in UTF-8."),
        ("", "missing required field"),
        ("day = 2020-01-01", "unknown field day|missing required field"),
    ],
)
def test_a_file_that_is_no_box(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    file = tmp_path / "box.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BoxError, match=sentence):
        Box.load(file, Spec)
    with pytest.raises(BoxError, match=r"this box cannot be read: is a directory\.$"):
        Box.load(tmp_path, Spec)


@pytest.mark.parametrize("value", ["4\ntable = 5", "2020-01-01", "[" * 3000, "4.5", "true"])
def test_what_is_no_whole_number_is_refused_in_a_short_sentence(value: str) -> None:
    with pytest.raises(BoxError, match=r"this is a whole number \(5\), and .* is not\.$") as caught:
        box().with_sets([f"districts.banking.bonus={value}"])
    assert len(caught.value.sentence) < 120


def test_a_whole_number_will_do_for_a_number() -> None:
    class Weights(msgspec.Struct):
        weight: float

    assert Box({"weight": 1.5}, Weights).with_sets(["weight=2"]).spec.weight == 2.0
