"""Writes the tables of functions of whole registers (runtime/codegen/headers/register-*.h), between their `// <table NAME>` markers.

    python3 scripts/tables.py runtime/codegen/headers/register-powers.h ...        (needs mpmath)

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


def nearly_float(f, low, high):
    """A float near the middle of an interval where f is nearly a float too."""
    middle = first_word((low + high) / 2, "float")
    step = mpf(2) ** (mp.frexp(middle)[1] - 24)
    nearby = [middle + k * step for k in range(-600, 601)]
    return min(nearby, key=lambda c: abs(f(c) / first_word(f(c), "float") - 1))


def pieces(f, first, degree, at_zero):
    """
    A function of floats from 0 up in 32 pieces, of which four have the same exponent, from 2^first on: for each piece where it
    begins to count, and the coefficients; by the last bits of an exponent and two more bits. The first piece is a multiple of t.
    """
    rows = []
    for k in range(32):
        low = mpf(2) ** (first + k // 4) * (1 + mpf(k % 4) / 4)
        high = mpf(2) ** (first + (k + 1) // 4) * (1 + mpf((k + 1) % 4) / 4)
        center = mpf(0) if k == 0 else nearly_float(f, low, high)
        value = mpf(0) if k == 0 else f(center)
        a, b = (-high if k == 0 else low - center), high - center

        def slope(t, center=center, value=value):
            return at_zero if center + t == 0 else (mp.sign(center + t) * f(abs(center + t)) - value) / t

        rows.append([center, value, *monomial(chebyshev(slope, a, b, degree), a, b)])
    # The exponent of 2^first has these last bits.
    turn = (127 + first) * 4 % 32
    return [[row[i] for row in rows[-turn:] + rows[:-turn]] for i in range(degree + 2)]


def ratio_pieces(f, first, degree):
    """The same pieces of a function that is a value of each piece times 1 + t times a polynomial."""
    rows = []
    for k in range(32):
        low = mpf(0) if k == 0 else mpf(2) ** (first + k // 4) * (1 + mpf(k % 4) / 4)
        high = mpf(2) ** (first + (k + 1) // 4) * (1 + mpf((k + 1) % 4) / 4)
        center = nearly_float(f, low, high)
        value = f(center)
        slope = lambda t, center=center, value=value: (f(center + t) / value - 1) / t
        rows.append([center, value, *monomial(chebyshev(slope, low - center, high - center, degree), low - center, high - center)])
    turn = (127 + first) * 4 % 32
    return [[row[i] for row in rows[-turn:] + rows[:-turn]] for i in range(degree + 2)]


def piece_tables(name, shape):
    lines = []
    for i, column in enumerate(shape):
        lines += [f"alignas(64) static const unsigned {name}_{'at' if i == 0 else i - 1}[32] = {{", *words([bits(c, "float") for c in column], "float"), "};"]
    return lines


def logarithms(kind, base):
    """
    Of a number from 45/64 to 45/32 in 16 pieces, of which two around 1 have the middle 1: a short number near the reciprocal of a piece's middle,
    and the reciprocal's negative logarithm to a base in two words, of which the first has zeros at the end; and the rest's
    polynomial.
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
    lines = []
    for part, numbers in (("over", over), ("high", high), ("low", low)):
        ctype = "unsigned" if kind == "float" else "unsigned long long"
        lines += [f"alignas(64) static const {ctype} {name}_{part}_{kind}[16] = {{", *words([bits(x, kind) for x in numbers], kind), "};"]

    def rest(f):
        # What follows the first word of the slope, over f; log(1 + f) has the slope 1.
        slope = first_word(1 / log_base, kind)
        f = f if abs(f) > mpf(10) ** -20 else mpf(10) ** -20
        return (mp.log1p(f) / log_base - f * slope) / f if base else (mp.log1p(f) - f) / f**2

    digits, suffix = (9, "f") if kind == "float" else (17, "")
    a, b = mpf("-0.05"), mpf("0.06")
    found = monomial(chebyshev(rest, a, b, count if base else count - 1), a, b)
    return [*lines, f"constexpr {kind} {name}_rest_{kind}[] = {{", *[line[2:] for line in lines_of(found, digits, suffix)], "};"]


def powers_low(kind):
    """What makes a power exact: it over its rounded one of `powers`, less 1, in the place of the first of `powers_rest`."""
    lows = []
    for j in range(16):
        exact = mpf(2) ** (mpf(j) / 16)
        lows.append(bits(exact / first_word(exact * exp(OFF[kind]), kind) - 1, kind))
    return [f"alignas(64) static const unsigned powers_low_{kind}[16] = {{", *words(lows, kind), "};"]


TABLES = {
    "powers_low": powers_low,
    "log": lambda kind: logarithms(kind, None),
    "log2": lambda kind: logarithms(kind, 2),
    "log10": lambda kind: logarithms(kind, 10),
    "powers": powers,
    "tanh": lambda kind: piece_tables("tanh", pieces(mp.tanh, -4, 5, 1)),
    "erfcx": lambda kind: piece_tables("erfcx", ratio_pieces(erfcx, -4, 6)),
    "mills": lambda kind: piece_tables("mills", ratio_pieces(lambda x: erfcx(x / mp.sqrt(2)) / 2, -4, 6)),
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
