"""Names that a careless report would run, hide or lose."""

EVIL = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<img src=x onerror=alert(3)>",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\"quoted\" and 'quoted'",
    "a,b;c",
    "emoji 😀",
    "line\u2028separator",
    "&amp; &lt;",
    "${alert(4)} {{alert(5)}}",
    "]]><!--",
    "long " * 100 + "end",
    "right \u202eto left",
]
