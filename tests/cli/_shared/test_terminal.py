def test_control_characters_do_not_reach_the_terminal(hitmiss, xor, write_csv):
    names = ["\x1b[31mred", *xor.feature_names[1:]]
    data = [[label, *x] for label, x in zip(xor.target, xor.data.tolist(), strict=True)]
    result = hitmiss("select", "--quick", write_csv([["kind", *names], *data]), "-t", "kind")
    assert "\x1b" not in result.stdout
    assert "[31mred" in result.stdout
