from hypothesis import given
from hypothesis import strategies as st

from hitmiss._util.text import clean


@given(st.text(), st.integers(1, 50))
def test_clean_texts_can_be_encoded_and_are_short(text, longest):
    found = clean(text, longest)
    assert len(found) <= longest
    found.encode()
    assert all(character.isprintable() or ord(character) > 127 for character in found)
