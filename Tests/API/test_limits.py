"""The limits of the API are those that it describes. Unlike the rest of this folder it needs nothing but Python, so deploy/test runs it."""
import limits


def test_every_limit_is_as_described():
    assert limits.main() == 0
