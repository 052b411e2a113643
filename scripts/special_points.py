"""The points of scripts/accuracy.py that are not random: signed zeros, subnormals, huge numbers, infinities, NaN, poles,
zeros, whole numbers and the thresholds of the functors' branches, each with its neighbours.

LIMITS says what a function is where mpmath cannot: at a pole the side that a signed zero stands for, beyond its domain
NaN, and PyTorch's convention where two make sense: NaN or the limit at infinity, the sign of a zero.
"""
import math
import struct

from mpmath import mp

INF, NAN = math.inf, math.nan


def neighbour(x, dtype, steps):
    """The number some steps further from zero in a dtype."""
    form, whole = (">f", ">I") if dtype == "float32" else (">d", ">Q")
    bits = struct.unpack(whole, struct.pack(form, x))[0]
    return struct.unpack(form, struct.pack(whole, bits + steps))[0]


def rounded(x, dtype):
    return struct.unpack(">f", struct.pack(">f", x))[0] if dtype == "float32" else float(x)


def near(points, dtype):
    """Each point and the numbers beside it."""
    for point in points:
        if dtype == "float32" and abs(point) > 3.4e38:
            continue
        x = rounded(point, dtype)
        yield x
        if x != 0:
            yield neighbour(x, dtype, 1)
            yield neighbour(x, dtype, -1)


# Where every function of one argument is tried, with both signs.
EVERYWHERE = {
    "float32": [0.0, 2.0**-149, 1e-40, 2.0**-126, 1e-30, 2.0**-30, 2.0**-13, 0.5, 1.0, 2.0, 3.0, 1e3, 1e10, 1e30, 3.4028234663852886e38, INF],
    "float64": [0.0, 5e-324, 1e-310, 2.0**-1022, 1e-300, 2.0**-60, 2.0**-27, 0.5, 1.0, 2.0, 3.0, 1e3, 1e10, 1e300, 1.7976931348623157e308, INF],
}
# Zeros, poles, thresholds of branches and of overflow, by function; neighbours are added.
NEAR = {
    "exp": [0.34657, 88.72284, -87.33655, -103.97208, 709.782712893384, -708.3964185322641, -745.1332191019411],
    "exp2": [127.99999, 128, -126, -149.5, 1023.9999999999999, -1022, -1074.5],
    "expm1": [-0.34657, 0.34657, 88.72284, -17.4, -37.5, 709.782712893384],
    "log": [0.66666667, 1.3333334, 0.70710678], "log2": [0.66666667, 1.3333334, 8, 1024], "log10": [0.66666667, 1.3333334, 10, 1000],
    "log1p": [-0.33333334, 0.33333334, -0.9999999, 1e-8], "cbrt": [8, -27], "sigmoid": [-87.5, -103, 17.5, -709, -745],
    "logit": [0.3, 0.65, 0.25, 0.75], "entr": [0.36787944, 2.7182817],
    "sin": [math.pi, math.pi / 2, math.pi / 4, 3 * math.pi / 4, 69999.99, 70000.01, 355], "cos": [math.pi, math.pi / 2, math.pi / 4, 69999.99, 11],
    "tan": [math.pi, math.pi / 2, math.pi / 4, 3 * math.pi / 4, 69999.99], "asin": [0.5, 0.70710678], "acos": [0.5, 0.70710678, -0.5],
    "atan": [0.4375, 0.6875, 1.1875, 2.4375], "sinh": [0.34657, 22, 88.72284, 89.41599, 709.782712893384, 710.4758600739439],
    "cosh": [0.34657, 22, 88.72284, 89.41599, 709.782712893384, 710.4758600739439], "tanh": [0.55, 0.625, 9.02, 19.07],
    "asinh": [0.125, 28.0], "acosh": [1.0000001, 1.25, 28.0], "atanh": [0.5, 0.25, 0.9999999], "sinc": [0.5, 4, 1.5, 1000],
    "softplus": [20, -87.5, -103], "logsigmoid": [-20, 17, 88, -104], "mish": [20, -1.1924, -80, -88, -100, -700, -740], "silu": [-1.2784645, -80, -88, -104, -700, -740],
    "tanhshrink": [1.25, 0.625, 9.02], "lgamma": [
        0.75, 26, 1.5, 2.5, 4, -2.4570247382208006, -2.747682646727413, -3.14358088834998, -3.9552942848585979, -0.5, -1, -2, -3, -10, -100, 171.6, 1e18, 4e36, 2.55e305],
    "digamma": [1.4616321449683623, -0.504083008264455, -1.573498473162390, -2.610720868444144, 1.5, -0.5, -1, -2, -10, 1e15],
    "trigamma": [1.5, -0.5, -1, -2, -10, -1.4], "erf": [0.1923076923076923, 0.5769230769230769, 0.25, 0.4375, 0.84375, 0.9, 1.25, 3.8325069, 5.9215871], "erfc": [0.25, 0.4375, 0.84375, 1.25, 2.5, 6, 9.19, 10.05, 26.543, 27.226],
    "erfcx": [6, -9.382415, -26.62873571375149, -5], "erfinv": [0.5, 0.9375, 0.25, 0.75, 0.875, 0.99, 0.9999999], "ndtr": [0.7, -0.7, -5, -13, -14.1, -37.5, -38.4, 5.4, 8.2],
    "ndtri": [0.25, 0.125, 0.875, 0.75, 0.1, 0.9, 0.9999999], "logNdtr": [-0.7, 0.7, 5, 13, 38], "gelu": [-0.75179157, -0.7, -5, -13, -14, -38],
    "i0": [5, 8, 91.9, 713.9], "i1": [5, 8, 91.9, 713.9], "i0e": [5, 8], "i1e": [5, 8],
    "modifiedBesselK0": [3.3, 85, 87, 705, 740], "modifiedBesselK1": [3.3, 85, 87, 705, 740], "scaledModifiedBesselK0": [3.3], "scaledModifiedBesselK1": [3.3],
    "besselJ0": [2.404825557695773, 5.520078110286311, 8.653727912911013, 5, 1e4], "besselJ1": [3.831705970207512, 7.015586669815619, 5, 1e4],
    "besselY0": [0.8935769662791675, 3.957678419314858, 7.086051060301773, 2.5, 5, 1e4], "besselY1": [2.197141326031017, 5.429681040794135, 2.8, 5, 1e4],
    "sphericalBesselJ0": [math.pi, 0.5], "airyAi": [-2.338107410459767, -4.087949444130970, -1, 1, 3, -3.4, 10, 25],
}

# Where a function is something else than its formula: "domain" is where it is not NaN, "known" where
# the argument has digits enough to say what the value is.
nonnegative = lambda x: x >= 0
LIMITS = {
    "exp": {INF: INF, -INF: 0.0}, "exp2": {INF: INF, -INF: 0.0}, "expm1": {INF: INF, -INF: -1.0},
    "log": {0: -INF, INF: INF, "domain": nonnegative}, "log2": {0: -INF, INF: INF, "domain": nonnegative}, "log10": {0: -INF, INF: INF, "domain": nonnegative},
    "log1p": {-1: -INF, INF: INF, "domain": lambda x: x >= -1}, "cbrt": {INF: INF, -INF: -INF},
    "rsqrt": {0: INF, "-0": -INF, INF: 0.0, "domain": nonnegative}, "sigmoid": {INF: 1.0, -INF: 0.0},
    "logit": {0: -INF, 1: INF, "domain": lambda x: 0 <= x <= 1}, "entr": {0: 0.0, "-0": 0.0, INF: -INF, "domain": None, "below": -INF},
    "sin": {INF: NAN, -INF: NAN}, "cos": {INF: NAN, -INF: NAN}, "tan": {INF: NAN, -INF: NAN},
    "asin": {"domain": lambda x: abs(x) <= 1}, "acos": {"domain": lambda x: abs(x) <= 1, 1: 0.0}, "atan": {INF: mp.pi / 2, -INF: -mp.pi / 2},
    "sinh": {INF: INF, -INF: -INF}, "cosh": {INF: INF, -INF: INF}, "tanh": {INF: 1.0, -INF: -1.0}, "asinh": {INF: INF, -INF: -INF},
    "acosh": {1: 0.0, INF: INF, "domain": lambda x: x >= 1}, "atanh": {1: INF, -1: -INF, "domain": lambda x: abs(x) <= 1},
    "sinc": {0: 1.0, INF: NAN, -INF: NAN}, "softplus": {INF: INF, -INF: 0.0}, "logsigmoid": {INF: 0.0, -INF: -INF}, "mish": {INF: INF, -INF: NAN},
    "silu": {INF: INF, -INF: NAN}, "tanhshrink": {"-0": 0.0, INF: INF, -INF: -INF}, "lgamma": {INF: INF, -INF: INF, 1: 0.0, 2: 0.0},
    "digamma": {0: -INF, "-0": INF, INF: INF, -INF: NAN}, "trigamma": {0: INF, INF: 0.0, -INF: NAN},
    "erf": {INF: 1.0, -INF: -1.0}, "erfc": {INF: 0.0, -INF: 2.0}, "erfcx": {INF: 0.0, -INF: INF}, "erfinv": {1: INF, -1: -INF, "domain": lambda x: abs(x) <= 1},
    "ndtr": {INF: 1.0, -INF: 0.0}, "ndtri": {0: -INF, 1: INF, "domain": lambda x: 0 <= x <= 1}, "logNdtr": {INF: 0.0, -INF: -INF}, "gelu": {INF: INF, -INF: NAN},
    "i0": {INF: NAN, -INF: NAN}, "i0e": {INF: 0.0, -INF: 0.0}, "i1": {"-0": 0.0, INF: NAN, -INF: NAN}, "i1e": {"-0": 0.0, INF: 0.0, -INF: -0.0},
    **{name: {0: INF, INF: 0.0, "domain": nonnegative} for name in ("modifiedBesselK0", "modifiedBesselK1", "scaledModifiedBesselK0", "scaledModifiedBesselK1")},
    "besselJ0": {INF: NAN, -INF: NAN}, "besselJ1": {"-0": 0.0, INF: NAN, -INF: NAN},
    "besselY0": {0: -INF, INF: NAN, "domain": nonnegative}, "besselY1": {0: -INF, INF: NAN, "domain": nonnegative},
    "sphericalBesselJ0": {0: 1.0, INF: 0.0, -INF: 0.0}, "airyAi": {INF: NAN, -INF: NAN, "known": lambda x: not x <= -1e4},
}

BEYOND_HALF = [-0.5, -1.5, -2.5, -3.5, -6.5, -22.5, -100.5, -0.4999, -3.499, -22.50001]
# Orders and arguments of the incomplete gamma functions on both sides of where their ways to compute change, and far out.
FAR_OFF = [*((a, a * t) for a in (25.0, 300.0, 999.0, 1001.0, 5000.0, 3e4) for t in (0.59, 0.61, 0.97, 1.03, 1.39, 1.41)), (200.0, 20.0), (200.0, 900.0), (1e10, 1e10), (1e15, 1e15), (1e30, 1e30)]
# Points of functions of two arguments, with the value where mpmath does not know it.
PAIRS = {
    "pow": [(0.0, -1.0, INF), (-0.0, -1.0, -INF), (-0.0, 3.0, -0.0), (-0.0, 2.0, 0.0), (0.0, 0.0, 1.0), (NAN, 0.0, 1.0), (1.0, NAN, 1.0), (-8.0, 1 / 3, NAN), (-2.0, 3.0),
            (INF, -2.0, 0.0), (-INF, 3.0, -INF), (2.0, INF, INF), (0.5, INF, 0.0), (2.0, 0.5), (2.0, -149.0), (2.0, -1074.0), (1.5, 1e10, INF), (1e-40, 0.5), (0.9999, 1e5)],
    "atan2": [(0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -0.0, mp.pi), (-0.0, -0.0, -mp.pi), (1.0, INF, 0.0), (INF, INF, mp.pi / 4), (INF, -INF, 3 * mp.pi / 4), (NAN, 1.0, NAN),
              (1e-40, 1.0), (1.0, -1e30), (1e30, 1e-30), (-1.0, 1e-40)],
    "hypot": [(INF, NAN, INF), (NAN, -INF, INF), (NAN, 1.0, NAN), (3.0, 4.0), (1e38, 1e38), (1e-40, 2e-40), (0.0, -0.0, 0.0), (1.0, 1e-30)],
    "xlogy": [(0.0, 0.0, 0.0), (0.0, INF, 0.0), (0.0, NAN, NAN), (1.0, 0.0, -INF), (2.0, -1.0, NAN), (2.0, 1.0, 0.0), (1e-40, 2.0), (3.0, 1e-40), (1.0, INF, INF)],
    "xlog1py": [(0.0, -1.0, 0.0), (1.0, -1.0, -INF), (1.0, -2.0, NAN), (2.0, 1e-40), (1e-40, 2.0), (1.0, INF, INF)],
    "logaddexp": [(INF, INF, INF), (-INF, -INF, -INF), (-INF, 1.0, 1.0), (INF, -INF, INF), (NAN, 1.0, NAN), (1e3, 1e3), (-1e3, -1e3), (1e10, -1e10), (0.0, -50.0)],
    "zeta": [(1.0, 2.0, INF), (0.5, 2.0, NAN), (-1.0, 2.0, NAN), (2.0, 0.0, INF), (3.0, -1.0, INF), (2.5, -0.5, NAN), (2.0, 1.0), (1.0000001, 1.0), (3.0, 1e-10), (30.0, 0.5), (100.0, 1.0), (3.0, 1e10),
             (2.0, NAN, NAN), (NAN, 2.0, NAN), *((s, q) for s in (2.0, 3.0, 4.0, 5.0, 9.0, 21.0) for q in BEYOND_HALF)],
    "gammainc": [(0.0, 1.0, 1.0), (1.0, 0.0, 0.0), (1.0, INF, 1.0), (INF, 1.0, 0.0), (-1.0, 1.0, NAN), (1.0, -1.0, NAN), (NAN, 1.0, NAN), (1.0, 1e-30), (1e3, 1e3), (0.5, 100.0), (1e-10, 1e-10), *FAR_OFF],
    "gammaincc": [(0.0, 1.0, 0.0), (1.0, 0.0, 1.0), (1.0, INF, 0.0), (INF, 1.0, 1.0), (-1.0, 1.0, NAN), (1.0, -1.0, NAN), (NAN, 1.0, NAN), (1.0, 50.0), (1e3, 1e3), (0.5, 80.0), (0.000352309693, 1.18032663), (5.47885e-05, 1.08595882), *FAR_OFF],
    "multigammaln": [(0.5, 2.0, NAN), (1.0, 1.0), (2.0, 1.0), (1.5, 2.0), (INF, 2.0, INF), (NAN, 1.0, NAN), (1e5, 3.0)],
    "polygamma": [(2.0, 1.0), (2.0, 1e-3), (3.0, 1e3), (20.0, 0.5), (2.0, NAN, NAN), *((n, q) for n in (2.0, 3.0, 4.0, 8.0) for q in BEYOND_HALF)],
}
