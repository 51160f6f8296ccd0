"""Ristretto255 through libsodium: one encoding for a point and one verdict on every machine."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeds import group, ristretto, sodium
from seeds.group import BASE, IDENTITY, L, NoGroupError, Point
from seeds.streams import Stream

ROOT = Path(__file__).parents[2]
numbers = st.integers(0, L - 1)
ELEVEN = bytes.fromhex(ristretto.MULTIPLES[11])


def test_rfc_9496_a1_multiples_of_the_base_point() -> None:
    for number, encoding in enumerate(ristretto.MULTIPLES):
        assert group.base(number).hex() == encoding
        assert group.mul(number, BASE).hex() == encoding
        assert group.total([BASE] * number).hex() == encoding
        if number:
            assert group.read_point(bytes.fromhex(encoding)) == bytes.fromhex(encoding)


@pytest.mark.parametrize("encoding", ristretto.BAD)
def test_n4_rfc_9496_a2_bad_encodings_are_no_points(encoding: str) -> None:
    assert group.read_point(bytes.fromhex(encoding)) is None


@pytest.mark.parametrize(("uniform", "encoding"), ristretto.MAPPED)
def test_rfc_9496_a3_bytes_map_to_points(uniform: str, encoding: str) -> None:
    assert group.mapped(group.load_library(), bytes.fromhex(uniform)).hex() == encoding


def test_n1_the_identity_is_no_point_of_a_message() -> None:
    assert group.read_point(bytes(32)) is None
    assert group.read_points(BASE + bytes(32), 2) is None


def test_n2_an_odd_first_byte_is_no_point() -> None:
    assert group.read_point(bytes([ELEVEN[0] | 1]) + ELEVEN[1:]) is None


@pytest.mark.parametrize("encoding", ristretto.MULTIPLES[1:])
def test_n3_a_point_with_bit_255_set_is_no_point(encoding: str) -> None:
    point = bytes.fromhex(encoding)
    assert group.read_point(point[:-1] + bytes([point[-1] | 128])) is None


@pytest.mark.parametrize("data", [ELEVEN[:-1], ELEVEN + b"\0", bytearray(ELEVEN), ELEVEN.hex(), "", None, 7, [ELEVEN]])
def test_n5_other_lengths_and_types_are_neither_points_nor_scalars(data: object) -> None:
    assert group.read_point(data) is None
    assert group.read_scalar(data) is None
    assert group.read_points(data, 1) is None
    assert group.read_scalars(data, 1) is None


@pytest.mark.parametrize("number", [L, L + 5, 2**255 + 3, 2**256 - 1])
def test_n6_scalars_of_l_and_more_are_none(number: int) -> None:
    data = number.to_bytes(32, "little")
    assert group.read_scalar(data) is None
    assert group.read_scalars(bytes(32) + data, 2) is None
    assert group.read_scalar((L - 1).to_bytes(32, "little")) == L - 1


def test_n7_one_random_string_in_sixteen_is_a_point() -> None:
    stream = Stream(b"7" * 32, "points")
    accepted = 0
    for _ in range(4000):
        data = b"".join(stream.word().to_bytes(4, "big") for _ in range(8))
        accepted += group.read_point(data) is not None
    assert 180 < accepted < 325, "a sixteenth is 250; an eighth, as libsodium 1.0.18 has it, would be 500"


@given(st.binary(min_size=32, max_size=32))
def test_what_is_accepted_has_no_second_encoding(data: bytes) -> None:
    point = group.read_point(data)
    if point is not None:
        assert group.sub(group.add(point, BASE), BASE) == data


@given(numbers, numbers)
def test_multiples_add_up(one: int, other: int) -> None:
    assert group.add(group.base(one), group.base(other)) == group.base(one + other)
    assert group.mul(one, group.base(other)) == group.base(one * other)
    assert group.sub(group.base(one), group.base(other)) == group.base(one - other)


def test_sums_may_come_to_the_identity_and_go_on() -> None:
    point = group.hash_point("test", 1)
    assert group.sub(point, point) == IDENTITY
    assert group.total([]) == IDENTITY
    assert group.total([point, group.sub(IDENTITY, point), BASE]) == BASE
    assert group.mul(L, point) == group.base(L) == group.mul(3, IDENTITY) == IDENTITY
    assert group.combination([2, L - 2], [point, point]) == IDENTITY


def test_points_and_scalars_travel_packed() -> None:
    points = [group.base(n) for n in (1, 2, 3)]
    assert group.read_points(group.pack(points), 3) == points
    assert group.read_points(group.pack(points), 2) is None
    assert group.read_scalars(group.pack_scalars([0, 5, L - 1]), 3) == [0, 5, L - 1]


def test_hashes_for_different_purposes_give_different_points() -> None:
    assert len({group.hash_point("a", 1), group.hash_point("b", 1), group.hash_point("a", 2)}) == 3
    assert group.hash_scalar("a", 1) != group.hash_scalar("b", 1)


@pytest.mark.parametrize("work", [group.add, group.sub])
def test_what_is_no_point_cannot_be_computed_with(work: Callable[[Point, Point], Point]) -> None:
    with pytest.raises(ArithmeticError):
        work(Point(bytes.fromhex(ristretto.BAD[1])), BASE)
    with pytest.raises(ArithmeticError):
        group.mul(2, Point(bytes.fromhex(ristretto.BAD[1])))


# Where the library comes from ----------------------------------------------------------------------------------------


def found(*copies: tuple[str, Callable[[], ctypes.CDLL]]) -> Callable[[], list[tuple[str, Callable[[], ctypes.CDLL]]]]:
    return lambda: list(copies)


def broken() -> ctypes.CDLL:
    raise OSError("cannot be mapped")


def test_without_a_library_one_message_says_what_was_tried_and_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sodium, "candidates", found(("rbcl", broken), ("libsodium.so.26", broken)))
    with pytest.raises(NoGroupError, match=r"install .*rbcl.*libsodium.so.26: cannot be mapped") as seen:
        group.load_library.__wrapped__()
    assert seen.value.code == "group/no-library"
    assert [name for name, _ in seen.value.tried] == ["rbcl", "libsodium.so.26"]


def test_the_next_copy_is_taken_when_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sodium, "candidates", found(("first", broken), ("second", group.load_library)))
    assert group.load_library.__wrapped__() is group.load_library()


def test_a_library_without_the_functions_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sodium, "candidates", found(("itself", lambda: ctypes.CDLL(None))))
    with pytest.raises(NoGroupError, match="itself"):
        group.load_library.__wrapped__()


class Wrong:
    """A library that goes wrong in one function."""

    def __init__(self, wrong: str) -> None:
        self.wrong = wrong

    def __getattr__(self, name: str) -> object:
        real = getattr(group.load_library(), name)
        if name != self.wrong:
            return real
        return (lambda *_: 1) if name.endswith("valid_point") else (lambda *_: 0)


@pytest.mark.parametrize("wrong", [name for name in sodium.PROTOTYPES if name != "sodium_init"])
def test_the_self_test_notices_a_library_that_computes_wrongly(wrong: str) -> None:
    library = Wrong(wrong)
    with pytest.raises(ArithmeticError):
        group.self_test(library)  # type: ignore[arg-type]


def test_n8_every_copy_on_this_machine_passes_the_self_test_and_judges_alike() -> None:
    judged = []
    stream = Stream(b"8" * 32, "points")
    strings = [b"".join(stream.word().to_bytes(4, "big") for _ in range(8)) for _ in range(500)]
    for _, load in sodium.candidates():
        try:
            library = sodium.prepare(load())
        except (ImportError, OSError, AttributeError):
            continue
        group.self_test(library)
        judged.append([group.decoded(library, data) for data in strings])
    assert all(one == judged[0] for one in judged)
    if len(judged) < 2:
        pytest.skip("one copy of libsodium here: nothing to compare it with")


def test_importing_the_group_loads_no_library_and_using_it_leaves_no_file(tmp_path: Path) -> None:
    program = (
        "import sys, seeds.group as g; assert not any('rbcl' in name for name in sys.modules); "
        "print(g.load_library.cache_info().currsize, g.base(2).hex()[:8])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env={"TMPDIR": str(tmp_path)}, capture_output=True, text=True
    )
    assert run.stdout.split() == ["0", "6a493210"], run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_copy_that_cannot_be_loaded_from_the_temporary_directory_is_removed_too(tmp_path: Path) -> None:
    left = tmp_path / "tmpabc.so"
    left.write_bytes(b"no library")
    module = {"__name__": "rbcl._sodium", "lib_path": str(left), "ctypes": ctypes}
    with pytest.raises(OSError, match="tmpabc") as seen:
        exec("ctypes.CDLL(lib_path)", module)
    assert sodium.written_in(seen.value.__traceback__) == left
    with pytest.raises(OSError, match="mapped") as seen:
        broken()
    assert sodium.written_in(seen.value.__traceback__) is None


def test_a_wheel_that_cannot_load_its_copy_is_passed_over_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where programs may not run from the temporary directory."""
    package, left = tmp_path / "rbcl", tmp_path / "tmpleft.so"
    package.mkdir()
    (package / "__init__.py").write_text("from rbcl import _sodium\n")
    lines = ["import ctypes", f"lib_path = {str(left)!r}", "open(lib_path, 'w').close()", "ctypes.CDLL(lib_path)"]
    (package / "_sodium.py").write_text("\n".join(lines))
    for name in [name for name in sys.modules if name.split(".")[0] == "rbcl"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(OSError, match="tmpleft"):
        sodium.bundled()
    assert not left.exists()
    for name in [name for name in sys.modules if name.split(".")[0] == "rbcl"]:
        monkeypatch.delitem(sys.modules, name)


def test_the_copy_of_the_wheel_is_kept_and_a_damaged_one_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[bytes] = []

    def load(name: str) -> object:
        loaded.append(Path(name).read_bytes())
        return ctypes

    monkeypatch.setattr(ctypes, "CDLL", load)
    place = tmp_path / "compiled" / "sodium.cpython-311.ab"
    assert sodium.kept(place) is None
    sodium.keep(place.with_name("sodium.cpython-311.of-an-older-wheel"), b"older library")
    assert sodium.kept(place) is None
    sodium.keep(place, b"library")
    assert sodium.kept(place) is not None
    (file,) = place.parent.iterdir()
    file.write_bytes(b"librar")
    assert sodium.kept(place) is None
    sodium.keep(place, b"library")
    assert sodium.kept(place) is not None
    assert loaded == [b"library", b"library"]


def test_a_copy_that_cannot_be_kept_or_loaded_where_it_is_kept_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sodium.keep(tmp_path / "file" / "sodium.ab", b"library")
    assert sodium.kept(tmp_path / "file" / "sodium.ab") is None
    sodium.keep(tmp_path / "sodium.ab", b"no library")
    assert sodium.kept(tmp_path / "sodium.ab") is None


def test_copies_are_looked_for_in_the_wheel_first_then_in_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.util.find_library", lambda name: f"/somewhere/{name}.so" if name == "sodium" else None)
    names = [name for name, _ in sodium.candidates()]
    assert names == ["rbcl", *sodium.SYSTEM, "/somewhere/sodium.so"]
    with pytest.raises(OSError, match="somewhere"):
        [load for name, load in sodium.candidates()][-1]()


def test_where_a_loaded_file_cannot_go_older_equal_ones_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, stale, other = (tmp_path / f"tmp{name}.pyd" for name in ("mine", "stale", "other"))
    mine.write_bytes(b"library")
    stale.write_bytes(b"library")
    other.write_bytes(b"unknown")
    really = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path == mine:
            raise PermissionError(path)
        really(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    sodium.tidy(mine)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tmpmine.pyd", "tmpother.pyd"]


def test_a_library_that_is_provided_is_used_and_computes_sums_in_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    library, sums = group.load_library(), list[int]()

    def together(numbers: bytes, points: bytes) -> bytes:
        scalars, of = group.read_scalars(numbers, len(numbers) // 32), group.read_points(points, len(points) // 32)
        assert scalars is not None
        assert of is not None
        sums.append(len(scalars))
        return group.total(group.mul(number, point) for number, point in zip(scalars, of, strict=True))

    monkeypatch.setattr(group, "_provided", [])
    group.provide(library, together)
    assert group.load_library.__wrapped__() is library
    assert group.combination([L + 2, 3], [BASE, group.base(5)]) == group.base(17)
    assert sums == [4, 2], "one of them is the test"
    with pytest.raises(ArithmeticError, match="combination"):
        group.provide(library, lambda numbers, points: points[:32])
    with pytest.raises(ValueError, match="zip"):
        group.combination([1], [BASE, BASE])
