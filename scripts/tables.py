"""Writes the tables of functions of whole registers (runtime/ops/functors/registers/), between their `// <table NAME>` markers.

    python3 scripts/tables.py runtime/ops/functors/registers/powers.cuh ...        (needs mpmath)

A table has as many entries as two registers hold at most. A rounded entry would cost half a unit, so each table is chosen such that its entries
are nearly numbers of their type: powers of two are those of an exponent that is off by a little, and a piece of a function
begins where the function's value has many zeros behind its last bit.
"""
import re
import struct
import sys

from mpmath import exp, log, mp, mpf

from fit import chebyshev, first_word, lines_of, monomial

from fits import erfcx

mp.dps = 50


def bits(x, kind):
    x = float(x)
    return struct.unpack("I", struct.pack("f", x))[0] if kind == "float" else struct.unpack("Q", struct.pack("d", x))[0]


def words(numbers, kind):
    """The initialiser of an array of bits."""
    suffix, digits = ("u", 8) if kind == "float" else ("ull", 16)
    size = 8 if kind == "float" else 4
    texts = [f"{n:#0{digits + 2}x}{suffix}" for n in numbers]
    return ["    " + ", ".join(texts[i : i + size]) + ("," if i + size < len(texts) else "") for i in range(0, len(texts), size)]


def coefficients(f, half, count, kind):
    """An array of the polynomial of f on [-half, half]."""
    digits, suffix = (9, "f") if kind == "float" else (17, "")
    return lines_of(monomial(chebyshev(f, -half, half, count), -half, half), digits, suffix)


# Where 2^(j / 16) exp(d) is within 0.19 units of a number for every j.
OFF = {"float": mpf(860443437) / 2**37, "double": mpf(872150806) / 2**37}


def powers(kind):
    """2^(j / 16) exp(d) without the bits that adding j / 16 to an exponent adds, and exp(r) / exp(d) - 1."""
    d, fraction, count = OFF[kind], (23 if kind == "float" else 52), (4 if kind == "float" else 7)
    size = 2 ** (32 if kind == "float" else 64)
    entries = [(bits(mpf(2) ** (mpf(j) / 16) * exp(d), kind) - (j << (fraction - 4))) % size for j in range(16)]
    half = log(2) / 32 * mpf("1.001")
    return [
        f"alignas(64) static const {'unsigned' if kind == 'float' else 'unsigned long long'} powers_{kind}[16] = {{",
        *words(entries, kind),
        "};",
        f"constexpr {kind} powers_rest_{kind}[] = {{",
        *[line[2:] for line in coefficients(lambda r: exp(r - d) - 1, half, count, kind)],
        "};",
    ]


def nearly_number(f, low, high, kind):
    """A number near the middle of an interval where f is nearly a number too."""
    nearby = {first_word((low + high) / 2 + (high - low) * k / 30000, kind) for k in range(-600, 601)}
    return min(sorted(nearby), key=lambda c: abs(f(c) / first_word(f(c), kind) - 1))


def piece(f, low, high, count, kind):
    """One piece of a function: from where it counts, its value there, and the slope's coefficients."""
    center = nearly_number(f, low, high, kind)
    value = f(center)
    # Beside the center a difference would lose its digits.
    slope = lambda t: (f(center + t) - value) / t if abs(t) > mpf(10) ** -20 else mp.diff(f, center)
    a, b = low - center, high - center
    return [center, value, *monomial(chebyshev(slope, a, b, count), a, b)]


def piece_at(center, over, a, b, count):
    """A piece from a number where the function is 0, for a slope of which something may be taken away."""
    return [mpf(center), mpf(0), *monomial(chebyshev(over, mpf(a), mpf(b), count), mpf(a), mpf(b))]


def quarter_octaves():
    """The ends of 32 pieces from 1/16 on, of which four have the same exponent; the first one begins at 0."""
    ends = [mpf(2) ** (k // 4 - 4) * (1 + mpf(k % 4) / 4) for k in range(33)]
    return list(zip([mpf(0), *ends[1:]], ends[1:]))


def turned(rows):
    """Of pieces by quarter_octaves, in the order of the last bits of an exponent and two more bits: those of 1/16 are 12."""
    return rows[-12:] + rows[:-12]


def piece_table(name, kind, rows):
    """The lines of a table, whose rows are for all pieces the numbers of the same place."""
    ctype = "unsigned" if kind == "float" else "unsigned long long"
    columns = list(zip(*rows))
    lines = [f"alignas(64) static const {ctype} {name}_{kind}[{len(columns)}][{len(rows)}] = {{"]
    for column in columns:
        texts = words([bits(c, kind) for c in column], kind)
        lines += ["  {", *texts, "  }," if column is not columns[-1] else "  }"]
    return [*lines, "};"]


def tanh_pieces(kind):
    ends = quarter_octaves()
    over = lambda t: mp.tanh(t) / t if t else mpf(1)
    rows = [piece_at(0, over, -ends[0][1], ends[0][1], 5), *[piece(mp.tanh, a, b, 5, kind) for a, b in ends[1:]]]
    return piece_table("tanh", kind, turned(rows))


def offset_ends(offset, parts, count):
    """The ends of `count` pieces from 0 up, of which so many are an octave of x + offset."""
    octave = int(mp.floor(mp.log(offset, 2)))
    first = int((offset / mpf(2) ** octave - 1) * parts)
    return [mpf(2) ** (octave + k // parts) * (1 + mpf(k % parts) / parts) - offset for k in range(first, first + count + 1)]


def by_last_bits(rows, offset, parts):
    """Pieces by offset_ends in the order of the last bits of the exponent of x + offset, and of so many parts of an octave."""
    octave = int(mp.floor(mp.log(offset, 2)))
    first = (octave - 1) * parts + int((offset / mpf(2) ** octave - 1) * parts)
    placed = [None] * len(rows)
    for k, row in enumerate(rows):
        placed[(first + k) % len(rows)] = row
    return placed


def ratio_pieces(name, f, offset, kind, terms=14):
    """By the last bits of the exponent of x + offset and the bits that follow."""
    parts, entries, count, offset = (8, 32, 5, 1) if kind == "float" else (4, 16, terms, offset)
    ends = offset_ends(mpf(offset), parts, entries)
    rows = [piece(f, a, b, count, kind) for a, b in zip(ends, ends[1:])]
    return piece_table(name, kind, by_last_bits(rows, mpf(offset), parts))


def mills(x):
    """ndtr(-x) over exp(-x^2 / 2)."""
    return erfcx(x / mp.sqrt(2)) / 2


def log_upper(x):
    """-log(ndtr(x)) over exp(-x^2 / 2), by the series of log(1 - t) / t where t = ndtr(-x) is small."""
    t = mp.erfc(x / mp.sqrt(2)) / 2
    series = sum(t**k / (k + 1) for k in range(8)) if x > 5 else -mp.log1p(-t) / t
    return mills(x) * series


def erf_pieces(kind):
    """Of 5/13 around its multiples; the first two are of erf(x) - x."""
    ends = [((k - mpf(1) / 2) * 5 / 13, (k + mpf(1) / 2) * 5 / 13) for k in range(16)]
    over = lambda t: mp.erf(t) / t - 1 if t else 2 / mp.sqrt(mp.pi) - 1
    rows = [piece_at(0, over, max(a, 0), b, 12) for a, b in ends[:2]]
    rows += [piece(mp.erf, a, b, 12, kind) for a, b in ends[2:]]
    return piece_table("erf", kind, rows)


def tanhshrink_pieces(kind):
    """(x - tanh(x)) / x^3, in four pieces of an octave of x + 1.5."""

    def over(x):
        with mp.extradps(60):
            return (x - mp.tanh(x)) / x**3 if x > mpf(10) ** -15 else mpf(1) / 3

    ends = offset_ends(mpf(1.5), 4, 16)
    rows = [piece(over, a, b, 8 if kind == "float" else 15, kind) for a, b in zip(ends, ends[1:])]
    return piece_table("tanhshrink", kind, by_last_bits(rows, mpf(1.5), 4))


def lgamma_pieces(kind):
    """
    lgamma(x), and of x below 0.75 lgamma(x + 1), in four pieces of an octave of x + 1.75; the first coefficient of a slope has a
    second word. Those around 1 and 2 count from there, where the result is exactly 0.
    """
    ends = offset_ends(mpf(1.75), 4, 16)
    rows = []
    for a, b in zip(ends, ends[1:]):
        f = (lambda x: mp.loggamma(x + 1)) if b <= 0.75 else mp.loggamma
        middle = (a + b) / 2
        slope = lambda t: f(middle + t) / t if abs(t) > mpf(10) ** -20 else mp.digamma(middle)
        row = piece_at(middle, slope, a - middle, b - middle, 18) if middle in (1, 2) else piece(f, a, b, 18, kind)
        rows.append([*row[:3], row[2] - first_word(row[2], kind), *row[3:]])
    return piece_table("lgamma", kind, by_last_bits(rows, mpf(1.75), 4))


def sine_log(kind):
    """(log(sin(pi r) / (pi r)) / r^2 + pi^2 / 6) / r^2 in t = r^2, r up to 1/2."""

    def curve(t):
        with mp.extradps(40):
            r = mp.sqrt(t) if t > mpf(10) ** -16 else mpf(10) ** -8
            return (mp.log(mp.sinpi(r) / (mp.pi * r)) / r**2 + mp.pi**2 / 6) / r**2

    found = monomial(chebyshev(curve, mpf(0), mpf(1) / 4, 15), mpf(0), mpf(1) / 4)
    return [f"constexpr {kind} sine_log_{kind}[] = {{", *[line[2:] for line in lines_of(found, 17, "")], "};"]


def by_exponent(rows):
    """Rows in the order of the last bits of an exponent: the first is of numbers from 1/2 to 1, each other one of half of them."""
    placed = [rows[0]] * 16
    for k, row in enumerate(rows):
        placed[(14 - k) % 16] = row
    return placed


def octave_pieces(name, f, slope, kind):
    """A function by the octave of 1 - x; the first piece, of x up to 1/2, is of f(x) - x."""
    count = 9 if kind == "float" else 20
    over = lambda t: f(t) / t - 1 if t else slope - 1
    rows = [piece(f, 1 - mpf(2) ** -k, 1 - mpf(2) ** (-k - 1), count, kind) for k in range(1, 15)]
    return piece_table(name, kind, by_exponent([piece_at(0, over, 0, 0.5, count), *rows]))


def quantile_pieces(kind):
    """-ndtri(q) by the octave of q; that of q from 1/4 to 1/2 is of what it is above 1 - 2 q."""
    f = lambda q: mp.sqrt(2) * mp.erfinv(1 - 2 * q)
    over = lambda t: f(mpf(1) / 2 + t) / t + 2 if t else 2 - mp.sqrt(2 * mp.pi)
    first = piece_at(0.5, over, -0.25, 0, 20)
    rows = [piece(f, mpf(2) ** (-k - 1), mpf(2) ** -k, 20, kind) for k in range(2, 16)]
    return piece_table("quantile", kind, by_exponent([first, first, *rows]))


def logarithms(kind, base):
    """
    Of a number from 45/64 to 45/32 in 16 pieces, of which two around 1 have the middle 1: a short number near the reciprocal of a piece's middle,
    and the reciprocal's negative logarithm to a base in two words, of which the first has zeros at the end; and of the rest the
    polynomial that follows the first term.
    """
    fraction, short, count = (23, 16, 5) if kind == "float" else (52, 40, 12)
    unit, log_base = mpf(2) ** -short, log(mpf(base) if base else exp(1))
    over, high, low = [], [], []
    for j in range(16):
        # In steps of 1/32 below 1 and of 1/16 above, with 1 in the middle of the tenth.
        ends = [1 + (mpf(e) / 32 if e < 0 else mpf(e) / 16) for e in (j - mpf("9.5"), j - mpf("8.5"))]
        # So few bits that a number's product with them, less 1, has no rounding.
        steps = 16 if j < 9 else 32
        near = mp.nint(steps * 2 / (ends[0] + ends[1])) / steps
        # Two pieces stay as they are, and of the next one the end beside them does nearly: there the logarithm is small.
        near = {8: mpf(1), 9: mpf(1), 10: mpf(31) / 32}.get(j, near)
        value = -log(near) / log_base
        over.append(near)
        high.append(mp.nint(value / unit) * unit)
        low.append(value - high[-1])
    name = f"log{base or ''}"
    slope = first_word(1 / log_base, kind)

    def rest(f):
        f = f if abs(f) > mpf(10) ** -20 else mpf(10) ** -20
        return mp.log1p(f) / log_base / f - slope

    digits, suffix = (9, "f") if kind == "float" else (17, "")
    a, b = mpf("-0.05"), mpf("0.06")
    found = monomial(chebyshev(rest, a, b, count), a, b)
    table = piece_table(name, kind, list(zip(over, high, low)))
    return [*table, f"constexpr {kind} {name}_rest_{kind}[] = {{", *[line[2:] for line in lines_of(found, digits, suffix)], "};"]


def powers_low(kind):
    """What makes a power exact: it over its rounded one of `powers`, less 1, in the place of the first of `powers_rest`."""
    lows = []
    for j in range(16):
        exact = mpf(2) ** (mpf(j) / 16)
        lows.append(bits(exact / first_word(exact * exp(OFF[kind]), kind) - 1, kind))
    ctype = "unsigned" if kind == "float" else "unsigned long long"
    return [f"alignas(64) static const {ctype} powers_low_{kind}[16] = {{", *words(lows, kind), "};"]


def number_table(name, rows):
    """Pieces as plain numbers, in columns: one of all numbers of the same place."""
    lines = [f"static const double {name}[{len(rows[0])}][{len(rows)}] = {{"]
    for column in zip(*rows):
        lines += ["  {", *lines_of(column, 17, ""), "  },"]
    return [*lines, "};"]


def bessel_piece(f, low, high, zeros, count, center=None):
    """A piece whose slope begins with a number in two words; it counts from the zero that it contains."""
    inside = [first_word(z, "double") for z in zeros if low <= z < high]
    center = inside[0] if inside else nearly_number(f, low, high, "double") if center is None else center
    value = f(center)
    slope = lambda t: (f(center + t) - value) / t if abs(t) > mpf(10) ** -20 else mp.diff(f, center)
    a, b = low - center, high - center
    first, *others = monomial(chebyshev(slope, a, b, count), a, b)
    return [center, value, first_word(first, "double"), first - first_word(first, "double"), *others]


def quarters(f, zeros, first, count):
    """Pieces around the multiples of pi/4 up to 32, of which none has two zeros."""
    ends = [max(mpf(0), (k - mpf(1) / 2) * mp.pi / 4) for k in range(first, 43)]
    return [bessel_piece(f, a, b, zeros, count, None if a else mpf(0)) for a, b in zip(ends, ends[1:])]


def first_kind(order):
    zeros = [mp.besseljzero(order, k) for k in range(1, 12)]
    return number_table(f"j{order}_pieces", quarters(lambda x: mp.besselj(order, x), zeros, 0, 12))


def second_kind(order):
    """Four pieces of an octave from 1/128 to 3, and pieces around the multiples of pi/4 from the fourth one on."""
    f, zeros = lambda x: mp.bessely(order, x), [mp.besselyzero(order, k) for k in range(1, 12)]
    ends = [mpf(2) ** (k // 4 - 7) * (1 + mpf(k % 4) / 4) for k in range(35)]
    near = [bessel_piece(f, a, b, zeros, 13) for a, b in zip(ends, ends[1:])]
    return number_table(f"y{order}_pieces", near + quarters(f, zeros, 4, 13))


TABLES = {
    **{f"{name}{n}_pieces": lambda kind, of=of, n=n: of(n) for name, of in (("j", first_kind), ("y", second_kind)) for n in (0, 1)},
    "powers_low": powers_low,
    "log": lambda kind: logarithms(kind, None),
    "log2": lambda kind: logarithms(kind, 2),
    "log10": lambda kind: logarithms(kind, 10),
    "powers": powers,
    "tanh": tanh_pieces,
    "tanhshrink": tanhshrink_pieces,
    "lgamma": lgamma_pieces,
    "sine_log": sine_log,
    "erf": erf_pieces,
    "erfinv": lambda kind: octave_pieces("erfinv", mp.erfinv, mp.sqrt(mp.pi) / 2, kind),
    "atanh": lambda kind: octave_pieces("atanh", mp.atanh, mpf(1), kind),
    "quantile": quantile_pieces,
    "erfcx": lambda kind: ratio_pieces("erfcx", erfcx, 1.75, kind),
    "mills": lambda kind: ratio_pieces("mills", mills, 3, kind),
    "log_mills": lambda kind: ratio_pieces("log_mills", lambda x: mp.log(mills(x)), 3, kind),
    "log_upper": lambda kind: ratio_pieces("log_upper", log_upper, 3, kind, 17),
}


def main():
    for path in sys.argv[1:]:
        source = open(path).read()
        replaced = re.sub(
            r"// <table (\w+) (\w+)>\n.*?// </table>",
            lambda m: "\n".join([m[0].split("\n")[0], *TABLES[m[1]](m[2]), "// </table>"]),
            source,
            flags=re.S,
        )
        open(path, "w").write(replaced)


if __name__ == "__main__":
    main()
