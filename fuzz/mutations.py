"""Files that are nearly right: bytes changed, cut, repeated, and members of archives changed."""

import io
import random
import zipfile

NUMBERS = (b"0", b"-1", b"1e999", b"nan", b"99999999999999999999", b"\xff" * 8, b"\0" * 8)


def mutated(content: bytes, rng: random.Random) -> bytes:
    """The content with one to four changes; of an archive, half of the time inside a member."""
    if content[:2] == b"PK" and rng.random() < 0.5:
        try:
            return _in_a_member(content, rng)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError):
            pass  # an archive of the corpus need not be one
    for _ in range(rng.randint(1, 4)):
        content = _changed(content, rng)
    return content


def _in_a_member(content: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(members))
    members[name] = mutated(members[name], rng)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members.items():
            archive.writestr(member, data)
    return buffer.getvalue()


def _changed(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    to = min(len(content), at + rng.choice((1, 2, 8, 64, 512)))
    kind = rng.randrange(6)
    if kind == 0 and at < len(content):
        return content[:at] + bytes([content[at] ^ (1 << rng.randrange(8))]) + content[at + 1 :]
    if kind == 1:
        return content[:at]
    if kind == 2:
        return content[:at] + content[to:]
    if kind == 3:
        return content[:to] + content[at:to] * rng.randint(1, 20) + content[to:]
    if kind == 4:
        return content[:at] + rng.choice(NUMBERS) + content[at:]
    return content[:at] + rng.randbytes(to - at) + content[to:]
