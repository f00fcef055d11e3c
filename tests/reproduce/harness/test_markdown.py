from reproduce.harness.markdown import link


def test_links_are_those_of_github():
    assert (
        link("FREL, Fig. 2: stability and γ (all)", "x") == "[x](#frel-fig-2-stability-and-γ-all)"
    )
