"""Our `dataclass` makes what the standard library makes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable, Hashable
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from engine.core import dataclass as ours
from engine.core.figures import Figures

T = TypeVar("T")
Decorator = Callable[..., Any]
BOTH = (ours.dataclass, dataclasses.dataclass)
FIELDS: dict[Any, Any] = {ours.dataclass: ours.field, dataclasses.dataclass: dataclasses.field}


def plain(dataclass: Decorator) -> Any:
    field = FIELDS[dataclass]

    @dataclass(slots=True)
    class Ship:
        """A ship."""

        name: str
        hull: int = 1
        parts: list[str] = field(default_factory=list)
        secret: bytes = field(default=b"", repr=False)
        note: str = field(default="", compare=False)
        kind: ClassVar[str] = "ship"

        @property
        def long(self) -> str:
            return self.name * 2

    return Ship


def frozen(dataclass: Decorator) -> Any:
    field = FIELDS[dataclass]

    @dataclass(frozen=True, slots=True)
    class Sector(Generic[T]):
        """A sector."""

        number: int
        holds: T
        id: str = field(init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "id", f"s{self.number}")

    return Sector


def inherited(dataclass: Decorator) -> Any:
    @dataclass(frozen=True, slots=True)
    class Wider(frozen(dataclass)):  # type: ignore[misc]
        """A sector with more."""

        more: tuple[int, ...] = ()

    return Wider


def by_name(dataclass: Decorator) -> Any:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        """By keywords alone; it writes itself."""

        a: int = 1
        b: int

        def __repr__(self) -> str:
            return f"named {self.a} {self.b}"

    return Named


def empty(dataclass: Decorator) -> Any:
    @dataclass(frozen=True, slots=True)
    class Empty:
        """Nothing."""

    return Empty


MADE: tuple[tuple[Any, tuple[Any, ...], dict[str, Any]], ...] = (
    (plain, ("a",), {}),
    (plain, ("a", 3), {"parts": ["x"], "secret": b"s", "note": "n"}),
    (frozen, (7, "thing"), {}),
    (inherited, (7, "thing", (1, 2)), {}),
    (by_name, (), {"b": 2}),
    (empty, (), {}),
)


@pytest.mark.parametrize(("shape", "args", "kwargs"), MADE)
def test_objects_are_written_compared_hashed_and_listed_as_those_of_the_standard_library(
    shape: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    classes: list[Any] = [shape(decorator) for decorator in BOTH]
    mine, theirs = ([cls(*args, **kwargs), cls(*args, **kwargs)] for cls in classes)
    assert mine[0] == mine[1]
    assert mine[0] != theirs[0]
    assert repr(mine[0]) == repr(theirs[0])
    assert [cls.__match_args__ for cls in classes] == [classes[1].__match_args__] * 2
    assert [cls.__slots__ for cls in classes] == [classes[1].__slots__] * 2
    assert [(each.name, each.type) for each in fields(mine[0])] == [
        (each.name, each.type) for each in fields(theirs[0])
    ]
    assert dataclasses.asdict(mine[0]) == dataclasses.asdict(theirs[0])
    assert is_dataclass(classes[0])
    assert copy.copy(mine[0]) == copy.deepcopy(mine[0]) == mine[0]
    hashed = [isinstance(mine[0], Hashable), isinstance(theirs[0], Hashable)]
    assert hashed in ([True, True], [False, False])
    if all(hashed):
        assert hash(mine[0]) == hash(mine[1])
    for cls in classes:
        [cls(*args, **kwargs) for _ in range(ours.FEW)]  # ours has its parameters from then on
    taken = [list(inspect.signature(cls.__init__).parameters) for cls in classes]
    assert taken[0] == taken[1]


@pytest.mark.parametrize("decorator", BOTH)
def test_what_does_not_compare_is_not_compared_and_what_is_secret_not_shown(decorator: Decorator) -> None:
    cls = plain(decorator)
    assert cls("a", note="x") == cls("a", note="y")
    assert cls("a", secret=b"x") != cls("a", secret=b"y")
    assert "secret" not in repr(cls("a", secret=b"x"))
    assert cls("a").parts is not cls("a").parts
    assert cls("ab").long == "abab"
    for replace in (ours.replace, dataclasses.replace):
        assert replace(cls("a", 5), name="b") == cls("b", 5)


@pytest.mark.parametrize("decorator", BOTH)
def test_a_frozen_object_stays_what_it_is(decorator: Decorator) -> None:
    sector = frozen(decorator)(7, "thing")
    assert sector.id == "s7"
    with pytest.raises(FrozenInstanceError):
        sector.number = 8
    with pytest.raises(FrozenInstanceError):
        del sector.number
    assert sector.number == 7


@pytest.mark.parametrize("made", [1, ours.FEW])
@pytest.mark.parametrize(("shape", "args", "kwargs"), MADE)
def test_the_first_objects_of_a_class_are_made_as_the_later_ones(
    shape: Any, args: tuple[Any, ...], kwargs: dict[str, Any], made: int
) -> None:
    cls, theirs = (shape(decorator) for decorator in BOTH)
    last = [cls(*args, **kwargs) for _ in range(made)][-1]
    assert dataclasses.asdict(last) == dataclasses.asdict(theirs(*args, **kwargs))


@pytest.mark.parametrize(
    ("shape", "wrong"), [(plain, ("a", 1, [], b"", "", "too many")), (by_name, ("a",)), (frozen, ())]
)
def test_the_first_call_of_a_class_is_refused_as_a_later_one(shape: Any, wrong: tuple[Any, ...]) -> None:
    texts = set()
    for cls in (shape(decorator) for decorator in BOTH):
        with pytest.raises(TypeError) as refused:
            cls(*wrong)
        texts.add(str(refused.value))
    assert len(texts) == 1


def test_a_field_of_the_standard_library_is_refused() -> None:
    class Ship:
        parts: list[str] = dataclasses.field(default_factory=list)

    with pytest.raises(TypeError, match=r"Ship\.parts"):
        ours.dataclass(slots=True)(Ship)


@pytest.mark.parametrize("decorator", BOTH)
def test_a_wrong_call_is_refused_by_name(decorator: Decorator) -> None:
    with pytest.raises(TypeError, match=r"Ship.__init__\(\) missing 1 required positional argument: 'name'"):
        plain(decorator)()
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        plain(decorator)("a", colour=1)
    with pytest.raises(TypeError, match="takes 1 positional argument"):
        by_name(decorator)(1, 2)


def test_a_class_without_slots_is_refused() -> None:
    maker: Any = ours.dataclass
    with pytest.raises(TypeError, match="slots"):
        maker(slots=False)


@ours.dataclass(frozen=True, slots=True)
class Kept:
    """Known by its module, as pickle wants it."""

    a: int
    b: str = "b"


def test_a_frozen_object_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1))) == Kept(1)


class Sizes(Figures):
    """Two of them."""

    small: int
    large: int


class MoreSizes(Sizes):
    """And a third."""

    huge: int


def test_figures_are_all_given_by_name_and_stay() -> None:
    sizes: Any = MoreSizes(small=1, large=2, huge=3)
    assert vars(sizes) == {"small": 1, "large": 2, "huge": 3}
    with pytest.raises(AttributeError, match=r"MoreSizes\.small is constant"):
        sizes.small = 2
    with pytest.raises(AttributeError, match=r"MoreSizes\.small is constant"):
        del sizes.small
    maker: Any = MoreSizes
    with pytest.raises(TypeError, match="misses or does not know: huge, tiny"):
        maker(small=1, large=2, tiny=0)
