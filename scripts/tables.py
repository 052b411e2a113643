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

from fit import chebyshev, lines_of, monomial

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


TABLES = {"powers": powers}


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
