"""The functions that scripts/fit.py approximates: name -> (comment, function of t, interval)."""
from mpmath import besseli, digamma, exp, log, loggamma, mp, mpf, pi, sqrt, findroot, polygamma, sin, tan, tanh

mp.dps = 50
ROOT = findroot(digamma, 1.4616)


def lgamma(x):
    return loggamma(x).real


def stirling(z):
    """x (lgamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2)) at x = 1 / sqrt(z)."""
    if z < mpf(10) ** -12:
        return mpf(1) / 12 - z / 360 + z * z / 1260
    x = 1 / sqrt(z)
    with mp.extradps(20):
        return x * (lgamma(x) - ((x - 0.5) * log(x) - x + log(2 * pi) / 2))


def digamma_tail(z):
    if z < mpf(10) ** -12:
        return mpf(1) / 12 - z / 120 + z * z / 252
    x = 1 / sqrt(z)
    with mp.extradps(20):
        return (log(x) - 1 / (2 * x) - digamma(x)) / z


def trigamma_tail(z):
    if z < mpf(10) ** -12:
        return mpf(1) / 6 - z / 30 + z * z / 42
    x = 1 / sqrt(z)
    with mp.extradps(20):
        return (polygamma(1, x) - 1 / x - z / 2) * x * x * x


def limit(f, at, value):
    """f with its value where it cannot be computed."""
    return lambda t: value() if t == at else f(t)


def even(f):
    """A function of t = x^2 from one of x; a tiny x stands for 0."""
    return lambda t: f(sqrt(t) if t > mpf(10) ** -30 else mpf(10) ** -15)


def log_series(z):
    s = sqrt(z) if z > mpf(10) ** -24 else mpf(10) ** -12
    with mp.extradps(30):
        return (log((1 + s) / (1 - s)) - 2 * s) / s**3


def bessel_tail(n):
    """sqrt(x) exp(-x) I_n(x) at x = 1 / t."""

    def f(t):
        if t < mpf(10) ** -15:
            return 1 / sqrt(2 * pi) * (1 - (4 * n * n - 1) * t / 8)
        x = 1 / t
        return sqrt(x) * exp(-x) * besseli(n, x)

    return f


def off_zero(f, step=mpf(10) ** -20):
    """f, evaluated beside a removable singularity at 0."""
    return lambda t: f(t if abs(t) > step else step)


FITS = {
    "log_tail": ("(log((1 + s) / (1 - s)) - 2 s) / s^3 in t = s^2, s up to 0.1716", log_series, 0, "0.0295"),
    "sinpi_tail": ("(pi x - sin(pi x)) / x^3 in t = x^2, x up to 0.5", even(lambda x: (pi * x - sin(pi * x)) / x**3), 0, "0.25"),
    "cotpi_tail": ("(1 / x - pi cot(pi x)) / x in t = x^2, x up to 0.25", even(lambda x: (1 / x - pi / tan(pi * x)) / x), 0, "0.0625"),
    "tanpi_tail": ("(pi tan(pi x) - pi^2 x) / x^3 in t = x^2, x up to 0.25", even(lambda x: (pi * tan(pi * x) - pi * pi * x) / x**3), 0, "0.0625"),
    "digamma_near": ("psi(x) / (x - x0) in t = x - 1.5, x from 1 to 2", lambda t: digamma(t + 1.5) / (t + 1.5 - ROOT), "-0.5", "0.5"),
    "digamma_tail": ("x^2 (log x - 1 / (2 x) - psi(x)) in t = 1 / x^2, x from 2 up", digamma_tail, 0, "0.25"),
    "lgamma_near_one": ("lgamma(1 + t) / t, t from -0.5 to 0.5", off_zero(lambda t: lgamma(1 + t) / t), "-0.5", "0.5"),
    "lgamma_near_two": ("lgamma(x) / (x - 2) in t = x - 2.25, x from 1.5 to 3", lambda t: off_zero(lambda u: lgamma(2 + u) / u)(t + 0.25), "-0.75", "0.75"),
    "stirling_tail": ("x (lgamma(x) - Stirling's formula) in t = 1 / x^2, x from 3 up", stirling, 0, mpf(1) / 9),
    "trigamma_near": ("trigamma(x) in t = x - 1.5, x from 1 to 2", lambda t: polygamma(1, t + 1.5), "-0.5", "0.5"),
    "trigamma_tail": ("x^3 (trigamma(x) - 1 / x - 1 / (2 x^2)) in t = 1 / x^2, x from 2 up", trigamma_tail, 0, "0.25"),
    "i0_series": ("I0(x) in t = x^2 / 4, x up to 5", lambda t: besseli(0, 2 * sqrt(t)), 0, "6.25"),
    "i0_tail": ("sqrt(x) exp(-x) I0(x) in t = 1 / x - 0.1, x from 5 up", lambda t: bessel_tail(0)(t + mpf("0.1")), "-0.1", "0.1"),
    "i1_series": ("2 I1(x) / x in t = x^2 / 4, x up to 5", lambda t: besseli(1, 2 * sqrt(t)) / sqrt(t) if t > 0 else mpf(1), 0, "6.25"),
    "i1_tail": ("sqrt(x) exp(-x) I1(x) in t = 1 / x - 0.1, x from 5 up", lambda t: bessel_tail(1)(t + mpf("0.1")), "-0.1", "0.1"),
    "tanhshrink_tail": ("(x - tanh(x)) / x^3 in t = x^2, x up to 0.5", even(lambda x: (x - tanh(x)) / x**3), 0, "0.25"),
}
