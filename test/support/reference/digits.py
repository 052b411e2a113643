"""Writes test/data/digits.json: functions of two vectors with 40 digits, by mpmath. The results are pairs of float64."""

import json
import struct
import sys

from mpmath import mp, mpf

mp.dps = 40


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


X = [single(v) for v in (0.1, 0.5, 0.7, 1.3, 2.1, 3.7)]
Y = [single(v) for v in (2.3, 0.9, 1.1, 0.2, 1.7, 0.6)]
x, y = [mpf(v) for v in X], [mpf(v) for v in Y]
e = mpf(10)


def each(f):
    return [f(a, b) for a, b in zip(x, y)]


def variance(v):
    mean = sum(v) / len(v)
    return sum((a - mean) ** 2 for a in v) / (len(v) - 1)


def running(v, join):
    out = []
    for a in v:
        out.append(a if not out else join(out[-1], a))
    return out


def product(v):
    return running(v, lambda a, b: a * b)[-1]


total = sum(mp.exp(a) for a in x)
functions = {
    "absorbed": each(lambda a, b: a),
    "one minus cosine": each(lambda a, b: (1 - mp.cos(a)) / a**2),
    "exp minus one": each(lambda a, b: (mp.exp(a / 1024) - 1) / a),
    "log of one plus": each(lambda a, b: mp.log(1 + a / 4096) / a),
    "difference of roots": each(lambda a, b: mp.sqrt(a + 10000) - 100),
    "variance by squares": [sum((a + 1000) ** 2 for a in x) / 6 - (sum(a + 1000 for a in x) / 6) ** 2],
    "sum": [sum(x)],
    "softmax": [mp.exp(a) / total for a in x],
    "logsumexp": [mp.log(total)],
    "cubic": each(lambda a, b: a**3 - 3 * a),
    "sine of large": each(lambda a, b: mp.sin(a * 128)),
    "tan": each(lambda a, b: mp.tan(a)),
    "gaussian": each(lambda a, b: mp.exp(-a * a)),
    "share": each(lambda a, b: a / (a + b)),
    "logarithm to a base": each(lambda a, b: mp.log(a) / mp.log(b)),
    "norm": [mp.sqrt(sum(a * a for a in x))],
    "cumsum": running(x, lambda a, b: a + b),
    "cumprod": running(x, lambda a, b: a * b),
    "dot": [sum(a * b for a, b in zip(x, y))],
    "outer": [a * b for a in x for b in y],
    "contrast": each(lambda a, b: (a - b) / (a + b)),
    "tanh": each(lambda a, b: mp.tanh(a)),
    "sigmoid": each(lambda a, b: 1 / (1 + mp.exp(-a))),
    "erf": each(lambda a, b: mp.erf(a)),
    "atan2": each(lambda a, b: mp.atan2(a, b)),
    "hypot": each(lambda a, b: mp.sqrt(a * a + b * b)),
    "pow": each(lambda a, b: a**b),
    "quadratic": each(lambda a, b: mp.sqrt(1000000 + a) - 1000),
    "gradient of exp of sin": each(lambda a, b: mp.exp(mp.sin(a)) * mp.cos(a)),
    "gradient of logsumexp": [mp.exp(a) / total for a in x],
    "variance": [variance(x)],
    "difference of quotients": each(lambda a, b: 1 / a - 1 / (a + mpf(1) / 1024)),
    "sinh by exp": each(lambda a, b: (mp.exp(a / 64) - mp.exp(-a / 64)) / 2),
    "prod": [product(x)],
    "softplus by hand": each(lambda a, b: mp.log(1 + mp.exp(a))),
    "horner": each(lambda a, b: ((a - 3) * a + 3) * a - 1),
    "in place": each(lambda a, b: a * 3 + 100000 - 100000 - b),
    "mapped": [mp.sqrt(a * a + 1) - 1 for a in x],
    "double: absorbed": each(lambda a, b: a),
    "double: sum": [sum(a / 3 for a in x)],
    "double: quotient": each(lambda a, b: a * b / (a - b)),
    "double: squares": each(lambda a, b: (a / 3) * (a / 3) - (b / 7) * (b / 7)),
    "double: horner": each(lambda a, b: (((a / 3) - 3) * (a / 3) + 3) * (a / 3) - 1),
}


def pair(value):
    high = float(value)
    return [high, float(value - mpf(high))]


with open(sys.argv[1], "w") as out:
    results = {name: [pair(v) for v in values] for name, values in functions.items()}
    json.dump({"x": X, "y": Y, "results": results}, out)
    out.write("\n")
