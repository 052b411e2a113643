"""Fits the polynomials of runtime/ops/functors/*.cuh and runtime/codegen/headers/*.h and writes them between their `// <fit NAME>` markers.

    python3 scripts/fit.py runtime/ops/functors/gamma.cuh ...        (needs mpmath)

Each fit interpolates its function at Chebyshev nodes with 50 digits, which is within a small factor of the best
polynomial, and takes the lowest degree whose relative error is below 2^-27 (float), 2^-57 (double), 2^-33 (wide: a
double that becomes a float) or 2^-19 (half: a float that becomes a half type), less the fit's own slack in bits where its value is a small correction of something else. Of the polynomials in fits.WORDS the first few
coefficients have a second word, and the value has two, but in the files for a GPU. Those in fits.CHAINS are
summed in two chains. fits.RATIOS are quotients of two polynomials, which interpolate at as many nodes as they have coefficients.
"""
import re
import struct
import sys

from mpmath import lu_solve, matrix, mp, mpf, cos, pi

from fits import CHAINS, FITS, RATIOS, WORDS

mp.dps = 50


def chebyshev(f, a, b, n):
    """Coefficients of the interpolant of degree n - 1 at the Chebyshev nodes of [a, b]."""
    nodes = [cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    values = [f((a + b) / 2 + (b - a) / 2 * x) for x in nodes]
    return [
        2 / mpf(n) * sum(v * cos(pi * j * (2 * k + 1) / (2 * n)) for k, v in enumerate(values)) / (2 if j == 0 else 1)
        for j in range(n)
    ]


def monomial(c, a, b):
    """The same polynomial in powers of t, where the Chebyshev variable is (2 t - a - b) / (b - a)."""
    p, q = 2 / (b - a), -(a + b) / (b - a)
    previous, current = [mpf(1)], [q, p]
    total = [mpf(0)] * len(c)
    for j, coefficient in enumerate(c):
        basis = previous if j == 0 else current
        for i, x in enumerate(basis):
            total[i] += coefficient * x
        if j >= 1:
            following = [mpf(0)] * (len(current) + 1)
            for i, x in enumerate(current):
                following[i] += 2 * q * x
                following[i + 1] += 2 * p * x
            for i, x in enumerate(previous):
                following[i] -= x
            previous, current = current, following
    return total


def fit(f, a, b, bits):
    full = chebyshev(f, a, b, 56)
    scale = min(abs(f(a + (b - a) * k / 16)) for k in range(17))
    n = 1
    while n < 56 and sum(abs(x) for x in full[n:]) > scale * mpf(2) ** -bits:
        n += 1
    if n >= 54:
        raise SystemExit(f"no convergence: {full[-1] / scale}")
    return monomial(chebyshev(f, a, b, n), a, b)


def ratio(f, a, b, above, below):
    """The polynomials of degrees `above` and `below` whose quotient is f at Chebyshev nodes; the second one begins with 1."""
    n = above + below + 1
    nodes = [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    rows = [[x**j for j in range(above + 1)] + [-f(x) * x**j for j in range(1, below + 1)] for x in nodes]
    found = list(lu_solve(matrix(rows), matrix([f(x) for x in nodes])))
    return found[: above + 1], [mpf(1), *found[above + 1 :]]


def lines_of(numbers, digits, suffix):
    """The initialiser of an array, within the line length."""
    lines, line = [], "   "
    for c in numbers:
        s = mp.nstr(c, digits, min_fixed=-5, max_fixed=12)
        s = (s if "." in s or "e" in s else s + ".0") + suffix
        if len(line) + len(s) + 2 > 108:
            lines.append(line)
            line = "   "
        line += f" {s},"
    return [*lines, line.rstrip(",")]


def first_word(c, ctype):
    """A number rounded to a type."""
    return mpf(struct.unpack("f", struct.pack("f", float(c)))[0] if ctype == "float" else float(c))


def block(name, only, one_word):
    text, f, a, b, *slack = FITS[name]
    a, b = mpf(a), mpf(b)
    out = [f"// {text}"]
    if name in RATIOS:
        for part, coefficients in zip(("above", "below"), ratio(f, a, b, *RATIOS[name])):
            out += [f"inline double {name}_{part}(double t) {{", "  const double c[] = {", *lines_of(coefficients, 17, ""), "  };"]
            out += ["  return polynomial(t, c);", "}"]
        return "\n".join(out)
    kinds = {"float": ("float", 9, "f", 27), "double": ("double", 17, "", 57), "wide": ("double", 17, "", 33), "half": ("float", 9, "f", 19)}
    for kind in [only] if only else ["float", "double"]:
        ctype, digits, suffix, precision = kinds[kind]
        coefficients = fit(f, a, b, precision - sum(slack))
        edge = max(abs(a), abs(b))
        condition = sum(abs(c) * edge**i for i, c in enumerate(coefficients)) / min(abs(f(a)), abs(f(b)), abs(f((a+b)/2)))
        print(f"{name} {ctype}: {len(coefficients)} terms, condition {float(condition):.3g}", file=sys.stderr)
        words = 0 if one_word or kind == "wide" else WORDS.get(name, 0)
        value = f"two<{ctype}>" if words else ctype
        low = [c - first_word(c, ctype) for c in coefficients[:words]]
        coefficients = [c - rest for c, rest in zip(coefficients, low)] + coefficients[words:]
        out += [f"inline {value} {name}({value} t) {{", f"  const {ctype} c[] = {{", *lines_of(coefficients, digits, suffix), "  };"]
        if words:
            out += [f"  const {ctype} low[] = {{", *lines_of(low, digits, suffix), "  };"]
        scope = "wide::" if kind == "wide" else ""
        rule = "two_chains" if name in CHAINS else "polynomial"
        out += [f"  return {scope}{rule}(t, c{', low' if words else ''});", "}"]
    return "\n".join(out)


def main():
    for path in sys.argv[1:]:
        source = open(path).read()
        one_word = path.endswith(".cuda.cuh")
        replaced = re.sub(
            r"// <fit (\w+) ?(\w*)>\n.*?// </fit>",
            lambda m: f"{m[0].split(chr(10))[0]}\n{block(m[1], m[2], one_word)}\n// </fit>",
            source,
            flags=re.S,
        )
        open(path, "w").write(replaced)


if __name__ == "__main__":
    main()
