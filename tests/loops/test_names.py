"""Names in written C: a name that is taken gets a number, from 2 on, which nothing else has."""

from ppnsim.loops.as_c.names import unique


def test_a_name_that_is_taken_gets_the_first_number_that_is_free() -> None:
    assert unique("y", set()) == "y"
    assert unique("y", {"y"}) == "y_2"
    assert unique("y", {"y", "y_2", "y_4"}) == "y_3"
    assert unique("y", {"y_2"}) == "y"
