"""Writes test/data/accuracy/*.json and test/data/complex.json: points and their exact values, against which test/ops/accuracy.test.ts measures ULP.

    python3 scripts/accuracy.py [op ...]        (needs mpmath)

With SWEEP=7 it writes ten times as many points, drawn from another seed, to build/accuracy; JITLAB_ACCURACY_TABLES=build/accuracy
makes test/conformance/accuracy.test.ts say where they break a stated bound.

A line is `argument... value rest`, numbers as the hexadecimal bits of their floats: the value is rounded to float64,
and rest is what the rounding took away. For float32 the arguments are float32 numbers, and rest is left out.
The last column, the error in ULP that was measured, is written by `UPDATE_ACCURACY=1 npx vitest run test/ops/accuracy.test.ts`.
"""
import json
import math
import os
import random
import signal
import struct
import sys

from mpmath import mp, mpf
import mpmath as m

from fits import TEMME
from special_points import EVERYWHERE, LIMITS, NAN, NEAR, PAIRS, near

mp.dps = 50
ROOT = os.path.join(os.path.dirname(__file__), "..")
SWEEP = os.environ.get("SWEEP", "")
FOLDER = os.path.join(ROOT, *(["build", "accuracy"] if SWEEP else ["test", "data", "accuracy"]))


def whole(x):
    return x == m.floor(x)


def lgamma(x):
    return m.inf if x <= 0 and whole(x) else m.loggamma(x).real


def digamma(x):
    return m.nan if x < 0 and whole(x) else -m.inf if x == 0 else m.digamma(x)


def trigamma(x):
    if x <= 0 and whole(x):
        return m.inf
    return m.psi(1, x) if x > -30 else m.pi**2 / m.sinpi(x) ** 2 - m.psi(1, 1 - x)


def zeta(s, q):
    n = int(m.ceil(-q)) if q < 0 else 0
    # mpmath's digits are those of its first sum, not of a small result.
    with mp.extradps(200):
        return sum((q + k) ** -s for k in range(n)) + m.zeta(s, q + n)


def polygamma(n, x):
    return (-1) ** (int(n) + 1) * m.factorial(n) * zeta(n + 1, x)


def erfc(x):
    return m.erfc(x) if x < 10**6 else mpf(0)


def erfcx(x):
    return m.exp(x * x) * m.erfc(x) if x < 10**6 else (1 - 1 / (2 * x * x)) / (x * m.sqrt(m.pi))


def ndtr(x):
    return erfc(-x / m.sqrt(2)) / 2


def log_ndtr(x):
    if x < -(10**5):
        return -x * x / 2 - m.log(-x * m.sqrt(2 * m.pi)) - 1 / (x * x)
    return m.log(ndtr(x)) if x < 5 else m.log1p(-erfc(x / m.sqrt(2)) / 2)


def ndtri(p):
    if p > mpf(1) / 2:
        return -ndtri(1 - p)
    x = mpf(0) if p > mpf("0.2") else -m.sqrt(-2 * m.log(p))
    for _ in range(200):
        f = ndtr(x)
        step = (m.log(f) - m.log(p)) * f / (m.exp(-x * x / 2) / m.sqrt(2 * m.pi))
        x -= step
        if abs(step) < mpf(10) ** -44 * (abs(x) + mpf(10) ** -30):
            return x
    raise ValueError(p)


def erfinv(x):
    if abs(x) < mpf(2) ** -60:
        return x * m.sqrt(m.pi) / 2
    return m.sign(x) * -ndtri((1 - abs(x)) / 2) / m.sqrt(2)


def gamma_share(a, x, upper):
    """The share of the gamma integral above or below x; of a very large a by Temme's expansion, whose next term is a^-5 of it."""
    if a < 10**6:
        if not upper and x > 20 and x > a:
            return 1 - gamma_share(a, x, True)
        return m.gammainc(a, x, m.inf, regularized=True) if upper else m.gammainc(a, 0, x, regularized=True)
    mu, side = x / a - 1, 1 if upper else -1
    with mp.extradps(20):
        eta = m.sign(mu) * m.sqrt(2 * (mu - m.log1p(mu)))
        sum_of_five = sum(mp.polyval(row[::-1], eta) * a**-k for k, row in enumerate(TEMME))
        return m.erfc(side * eta * m.sqrt(a / 2)) / 2 + side * m.exp(-a * eta**2 / 2) / m.sqrt(2 * m.pi * a) * sum_of_five


def near_mean(r):
    """Orders from 20 to 10^9 and arguments within nine deviations."""
    a = 10 ** r.uniform(1.3, 5.5) if r.random() < 0.8 else 10 ** r.uniform(7, 9)
    return a, a + r.uniform(-4, 9) * a**0.5


def gelu(x):
    return x * ndtr(x)


def tanhshrink(x):
    with mp.extradps(700 if abs(x) < 1e-9 else 0):
        return x - m.tanh(x)


def sigmoid(x):
    return 1 / (1 + m.exp(-x))


def xlogy(a, b):
    return a * m.log(b)


def logaddexp(a, b):
    return m.log(m.exp(a) + m.exp(b))


# name -> (exact function, where its points are drawn, least magnitude whose ULP counts)
def u(a, b):
    return lambda r: r.uniform(a, b)


def decades(a, b, sign=1):
    return lambda r: sign * 10 ** r.uniform(a, b)


POSITIVE = [u(0, 1), u(1, 3), u(3, 20), u(20, 1000), decades(-30, 0), decades(3, 30)]
BOTH = [u(-1, 1), u(-6, 6), u(-20, 20), decades(-20, -1)]
ANGLES = [u(-4, 4), u(-100, 100), u(-10000, 10000), decades(-20, -1)]
UNARY = {
    "exp": (m.exp, [u(-1, 1), u(-80, 80)], 0),
    "exp2": (lambda x: mpf(2) ** x, [u(-1, 1), u(-120, 120)], 0),
    "expm1": (m.expm1, [u(-1, 1), u(-40, 80), decades(-20, -1)], 0),
    "log": (m.log, POSITIVE, 0),
    "log2": (lambda x: m.log(x, 2), POSITIVE, 0),
    "log10": (m.log10, POSITIVE, 0),
    "log1p": (m.log1p, [u(-0.99, 1), u(1, 100), decades(-20, -1), decades(2, 30)], 0),
    "cbrt": (lambda x: m.sign(x) * m.cbrt(abs(x)), [u(-10, 10), decades(-30, 0), decades(1, 30, -1)], 0),
    "rsqrt": (lambda x: 1 / m.sqrt(x), POSITIVE, 0),
    "sigmoid": (sigmoid, [u(-1, 1), u(-80, 20)], 0),
    "logit": (lambda x: m.log(x / (1 - x)), [u(0, 1), u(0.4, 0.6), decades(-30, -1)], 0),
    "entr": (lambda x: -x * m.log(x), POSITIVE, 0),
    "sin": (m.sin, ANGLES, 0),
    "cos": (m.cos, ANGLES, 0),
    "tan": (m.tan, ANGLES, 0),
    "asin": (m.asin, [u(-1, 1), decades(-20, -1)], 0),
    "acos": (m.acos, [u(-1, 1), decades(-20, -1)], 0),
    "atan": (m.atan, BOTH, 0),
    "sinh": (m.sinh, [u(-1, 1), u(-80, 80), decades(-20, -1)], 0),
    "cosh": (m.cosh, [u(-1, 1), u(-80, 80)], 0),
    "tanh": (m.tanh, BOTH, 0),
    "asinh": (m.asinh, BOTH + [decades(2, 30)], 0),
    "acosh": (m.acosh, [u(1, 1.1), u(1, 20), decades(2, 30)], 0),
    "atanh": (m.atanh, [u(-1, 1), decades(-20, -1)], 0),
    "sinc": (m.sincpi, [u(-3, 3), u(-50, 50)], 0),
    "softplus": (lambda x: x if x > 20 else m.log1p(m.exp(x)), [u(-1, 1), u(-80, 20)], 0),
    "logsigmoid": (lambda x: -m.log1p(m.exp(-x)) if x > -1000 else x, [u(-1, 1), u(-80, 80)], 0),
    "mish": (lambda x: x * m.tanh(m.log1p(m.exp(x))), [u(-1, 1), u(-40, 20)], 0),
    "silu": (lambda x: x * sigmoid(x), [u(-1, 1), u(-80, 20)], 0),
    "tanhshrink": (tanhshrink, BOTH[:3] + [decades(-5, -1)], 0),
    "lgamma": (lgamma, POSITIVE + [u(-1, 0), u(-20, 0), u(-1000, 0), u(-4, -1)], 0.25),
    "digamma": (digamma, POSITIVE + [u(-1, 0), u(-20, 0), u(-1000, 0)], 0.25),
    "trigamma": (trigamma, [u(0, 1), u(1, 3), u(3, 20), u(20, 1000), decades(-15, 0), decades(3, 30), u(-20, 0), u(-1000, 0)], 0),
    "erf": (m.erf, BOTH, 0),
    "erfc": (erfc, [u(-1, 1), u(-6, 9), decades(-20, -1)], 0),
    "erfcx": (erfcx, [u(-1, 1), u(-9, 20), decades(1, 30)], 0),
    "erfinv": (erfinv, [u(-1, 1), u(0.9, 1), decades(-20, -1)], 0),
    "ndtr": (ndtr, [u(-1, 1), u(-12, 8)], 0),
    "ndtri": (ndtri, [u(0, 1), u(0.9, 1), decades(-35, -1)], 0),
    "logNdtr": (log_ndtr, [u(-1, 1), u(-12, 12), u(-1000, 0)], 0),
    "gelu": (gelu, [u(-1, 1), u(-12, 8)], 0),
    "i0": (lambda x: m.besseli(0, x), [u(-6, 6), u(5, 80), decades(-20, 0)], 0),
    "i0e": (lambda x: m.besseli(0, x) * m.exp(-abs(x)), [u(-6, 6), u(5, 1000), decades(-20, 0)], 0),
    "i1": (lambda x: m.besseli(1, x), [u(-6, 6), u(5, 80), decades(-20, 0)], 0),
    "i1e": (lambda x: m.besseli(1, x) * m.exp(-abs(x)), [u(-6, 6), u(5, 1000), decades(-20, 0)], 0),
    "modifiedBesselK0": (lambda x: m.besselk(0, x), [u(0, 1), u(0, 10), u(10, 80), decades(-20, 0)], 0),
    "modifiedBesselK1": (lambda x: m.besselk(1, x), [u(0, 1), u(0, 10), u(10, 80), decades(-20, 0)], 0),
    "scaledModifiedBesselK0": (lambda x: m.besselk(0, x) * m.exp(x), [u(0, 1), u(0, 10), u(10, 1000), decades(-20, 0)], 0),
    "scaledModifiedBesselK1": (lambda x: m.besselk(1, x) * m.exp(x), [u(0, 1), u(0, 10), u(10, 1000), decades(-20, 0)], 0),
    "besselJ0": (lambda x: m.besselj(0, x), [u(-5, 5), u(5, 30), u(30, 1000), decades(-20, 0)], 2**-8),
    "besselJ1": (lambda x: m.besselj(1, x), [u(-5, 5), u(5, 30), u(30, 1000), decades(-20, 0)], 2**-8),
    "besselY0": (lambda x: m.bessely(0, x), [u(0, 5), u(5, 30), u(30, 1000), decades(-20, 0)], 2**-8),
    "besselY1": (lambda x: m.bessely(1, x), [u(0, 5), u(5, 30), u(30, 1000), decades(-20, 0)], 2**-8),
    "sphericalBesselJ0": (m.sinc, [u(-5, 5), u(-1000, 1000)], 0),
    "airyAi": (m.airyai, [u(-5, 5), u(-100, 0), u(0, 20)], 2**-8),
}
BINARY = {
    "pow": (lambda a, b: a**b, [(decades(-2, 2), u(-15, 15)), (u(0.9, 1.1), u(-100, 100))], 0),
    "atan2": (m.atan2, [(u(-10, 10), u(-10, 10)), (decades(-5, 5), decades(-5, 5))], 0),
    "hypot": (m.hypot, [(u(-10, 10), u(-10, 10)), (decades(-10, 30), decades(-10, 30))], 0),
    "xlogy": (xlogy, [(u(0, 10), u(0, 10)), (decades(-10, 10), decades(-10, 10))], 0),
    "xlog1py": (lambda a, b: a * m.log1p(b), [(u(0, 10), u(-1, 10)), (u(0, 10), decades(-10, 10))], 0),
    "logaddexp": (logaddexp, [(u(0, 10), u(0, 10)), (u(0, 1000), u(0, 1000))], 0),
    "zeta": (zeta, [(u(1, 2), u(0, 10)), (u(1, 20), u(0.1, 20)), (lambda r: r.randrange(2, 20, 2), u(-10, 0)), (lambda r: r.randrange(3, 20, 2), u(-30, 0))], 0),
    "gammainc": (lambda a, x: gamma_share(a, x, False), [(u(0, 20), u(0, 20)), (u(50, 60), u(40, 70)), (decades(-6, 0), decades(-6, 1)), near_mean], 0),
    "gammaincc": (lambda a, x: gamma_share(a, x, True), [(u(0, 20), u(0, 20)), (u(50, 60), u(40, 70)), (decades(-6, 0), decades(-6, 1)), near_mean], 0),
    "multigammaln": (lambda a, p: p * (p - 1) / 4 * m.log(m.pi) + sum(m.loggamma(a - j / 2) for j in range(int(p))), [(u(3, 100), lambda r: r.randint(1, 4))], 0.25),
    "polygamma": (polygamma, [(lambda r: r.randint(2, 6), u(0.05, 5)), (lambda r: r.randint(2, 12), u(1, 60)), (lambda r: r.randint(2, 12), u(-20, 0))], 0),
}


def bits64(x):
    return struct.pack(">d", x).hex()


def bits32(x):
    return struct.pack(">f", x).hex()


def single(x):
    return struct.unpack(">f", struct.pack(">f", x))[0]


def line(exact, args, dtype):
    """A row, or none where the value is within a rounding of overflow."""
    value = float(exact)
    rest = float(exact - mpf(value)) if m.isfinite(exact) and m.isfinite(value) else 0.0
    bits = bits32 if dtype == "float32" else bits64
    largest = mpf(3.4028234e38 if dtype == "float32" else 1.797693134862315e308)
    if m.isfinite(exact) and largest < abs(exact) < largest * mpf("1.000001"):
        return None
    if dtype == "float32" and abs(value) > largest:
        value = math.copysign(m.inf, value)
    return " ".join([*(bits(a) for a in args), bits64(value), *([bits64(rest)] if dtype == "float64" else [])])


def value_at(name, f, x):
    """The function of one argument at any number: its limit, NaN beyond its domain, or what mpmath says."""
    limits = LIMITS.get(name, {})
    if x != x:
        return NAN
    if x == 0 and math.copysign(1, x) < 0 and "-0" in limits:
        return limits["-0"]
    if x in limits:
        return limits[x]
    if "below" in limits and x < 0:
        return limits["below"]
    if limits.get("domain") and not limits["domain"](x):
        return NAN
    value = f(mpf(x))
    # An odd function of a negative zero is one.
    return math.copysign(0.0, x) if value == 0 and x == 0 else value


def too_long(*_):
    raise TimeoutError()


signal.signal(signal.SIGALRM, too_long)


def special_pairs(name, f, dtype):
    for a, b, *limit in PAIRS.get(name, []):
        if dtype == "float32":
            a, b = single(a), single(b)
        row = line(limit[0] if limit else f(mpf(a), mpf(b)), [a, b], dtype)
        if row:
            yield row


def special(name, f, dtype):
    points = [s * single(x) if dtype == "float32" else s * x for x in EVERYWHERE[dtype] for s in (1, -1)] + [NAN, *near(NEAR.get(name, []), dtype)]
    seen = set()
    for x in points:
        bits = bits64(x)
        if bits not in seen and LIMITS.get(name, {}).get("known", lambda _: True)(x):
            seen.add(bits)
            signal.alarm(5)
            try:
                row = line(value_at(name, f, x), [x], dtype)
            except (m.libmp.NoConvergence, ValueError, OverflowError, MemoryError, TimeoutError) as error:
                print(f"{name}({x}) is left out: {type(error).__name__} {str(error)[:60]}")
                row = None
            signal.alarm(0)
            if row:
                yield row


def write(name, f, draws, floor, arity):
    table = {"op": name, "floor": floor, "source": f"mpmath, {mp.dps} digits"}
    for dtype in ("float32", "float64"):
        r = random.Random(name + SWEEP)
        rows = []
        count = (40 if len(draws) <= 4 else 24) * (10 if SWEEP else 1)
        for draw in draws:
            for _ in range(count):
                args = [draw(r)] if arity == 1 else draw(r) if callable(draw) else [d(r) for d in draw]
                args = [float(single(a) if dtype == "float32" else a) for a in args]
                if any(a == 0 for a in args) or (name in ("erfinv", "asin", "acos", "atanh") and abs(args[0]) >= 1):
                    continue
                if name in ("ndtri", "logit") and not 0 < args[0] < 1:
                    continue
                row = line(f(*(mpf(a) for a in args)), args, dtype)
                if row:
                    rows.append(row)
        table[dtype] = rows + list((special if arity == 1 else special_pairs)(name, f, dtype))
    with open(os.path.join(FOLDER, f"{name}.json"), "w") as file:
        json.dump(table, file, indent=0)
        file.write("\n")
    print(name, len(table["float32"]), len(table["float64"]))


COMPLEX = {
    "exp": m.exp, "exp2": lambda z: m.exp(z * m.log(2)), "expm1": m.expm1, "log": m.log, "log2": lambda z: m.log(z) / m.log(2),
    "log10": lambda z: m.log(z) / m.log(10), "log1p": lambda z: m.log(1 + z), "sqrt": m.sqrt, "sin": m.sin, "cos": m.cos,
    "tan": m.tan, "sinh": m.sinh, "cosh": m.cosh, "tanh": m.tanh, "asin": m.asin, "acos": m.acos, "atan": m.atan,
    "asinh": m.asinh, "acosh": m.acosh, "atanh": m.atanh, "sigmoid": lambda z: 1 / (1 + m.exp(-z)),
    "reciprocal": lambda z: 1 / z, "rsqrt": lambda z: 1 / m.sqrt(z), "sinc": lambda z: m.sinpi(z) / (m.pi * z),
}


def complex_points(r):
    """Points of the plane, near the branch points, on the unit circle, tiny and large."""
    near = lambda c, size: (c.real + r.gauss(0, size), c.imag + r.gauss(0, size))
    for _ in range(16):
        yield r.uniform(-4, 4), r.uniform(-4, 4)
        yield near(0j, 1e-3)
    for c in (1, -1, 1j, -1j):
        for _ in range(4):
            yield near(complex(c), 1e-4)
    for _ in range(8):
        angle = r.uniform(-3.1, 3.1)
        yield float(m.cos(angle)), float(m.sin(angle))


def write_complex():
    table = {"source": f"mpmath, {mp.dps} digits"}
    for name, f in COMPLEX.items():
        table[name] = {"complex64": [], "complex128": []}
        for dtype, bits in (("complex64", bits32), ("complex128", bits64)):
            r = random.Random(name)
            for point in complex_points(r):
                re, im = (single(x) if dtype == "complex64" else x for x in point)
                z = f(m.mpc(re, im))
                parts = []
                for part in (z.real, z.imag):
                    parts.append(bits64(float(part)))
                    parts.append(bits64(float(part - mpf(float(part)))))
                table[name][dtype].append(" ".join([bits(re), bits(im), *parts]))
    with open(os.path.join(ROOT, "test", "data", "complex.json"), "w") as file:
        json.dump(table, file, indent=0)
        file.write("\n")


def main():
    if not SWEEP and (len(sys.argv) == 1 or "complex" in sys.argv[1:]):
        write_complex()
    os.makedirs(FOLDER, exist_ok=True)
    for arity, table in ((1, UNARY), (2, BINARY)):
        for name, (f, draws, floor) in table.items():
            if len(sys.argv) == 1 or name in sys.argv[1:]:
                write(name, f, draws, floor, arity)


if __name__ == "__main__":
    main()
