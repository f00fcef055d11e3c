"""The innermost loop of sums of differences over samples in columns."""

from hitmiss.kernels.difference import difference
from hitmiss.kernels.jit import inlined


@inlined
def eight_sums(p, q, s, t, a, b, x, y, u, v, c, d, e, f):
    """Weighted sums of the differences of four samples from others, in two features.

    The weights of the others are p, q, s and t, their values a and b. The first feature of the four
    samples is x, y, u and v, the second c, d, e and f. What is read is used twice or four times.
    """
    zx = zy = zu = zv = zc = zd = ze = zf = a.dtype.type(0)
    for i in range(len(a)):
        zx += p[i] * difference(x, a[i])
        zc += p[i] * difference(c, b[i])
        zy += q[i] * difference(y, a[i])
        zd += q[i] * difference(d, b[i])
        zu += s[i] * difference(u, a[i])
        ze += s[i] * difference(e, b[i])
        zv += t[i] * difference(v, a[i])
        zf += t[i] * difference(f, b[i])
    return zx, zy, zu, zv, zc, zd, ze, zf
