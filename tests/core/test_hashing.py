"""Chance without a generator: it depends on nothing but the key."""

from hypothesis import given
from hypothesis import strategies as st

from marginalia.core.hashing import uniform


@given(st.text())
def test_a_key_has_one_number_from_0_to_1(key: str) -> None:
    assert 0 <= uniform(key) < 1
    assert uniform(key) == uniform(key)


def test_numbers_are_spread_evenly() -> None:
    numbers = [uniform(str(i)) for i in range(4000)]
    shares = [sum(i / 4 <= x < (i + 1) / 4 for x in numbers) / 4000 for i in range(4)]
    assert all(abs(share - 0.25) < 0.03 for share in shares)
