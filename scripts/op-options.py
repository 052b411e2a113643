"""Writes test/data/op-options.json: what PyTorch gives for the options of operations, each with several dtypes, values
and special values. Run it with a Python that has torch; test/ops/op-options.test.ts compares."""

import json
import math
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

nan, inf = math.nan, math.inf
REALS = [0.0, -0.0, 0.5, -0.5, 1.25, -1.75, 2.5, -3.5, 7.0, 123.456, -25.0, 1e-3, nan, inf, -inf]
INTEGERS = [0, 1, -1, 2, 5, -7, 15, 100, -100, 127]
NATURALS = [0, 1, 2, 3, 5, 15, 100, 127, 200, 255]
SHARES = [0.0, 0.01, 0.3, 0.5, 0.9, 1.0, 1.5, -0.25, nan]
BOOLS = [False, True, True, False]
COMPLEX = [complex(1, -2), complex(0.5, 0), complex(-3, 4), complex(0, 1)]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
ALL = ["bool", "uint8", "int8", "int16", "int32", "int64", *FLOATS, "complex64", "complex128"]


def values(dtype, reals=REALS):
    if dtype.startswith("complex"):
        return COMPLEX
    if dtype.startswith("uint"):
        return NATURALS
    if dtype.startswith("int"):
        return INTEGERS
    return BOOLS if dtype == "bool" else reals


# Our name: PyTorch's call, the options in our spelling and in PyTorch's, the number of operands, the dtypes.
CASES = [
    ("add", torch.add, [({"alpha": 3}, {"alpha": 3}), ({"alpha": 0.5}, {"alpha": 0.5}), ({"alpha": True}, {"alpha": True})], 2, ALL),
    ("sub", torch.sub, [({"alpha": 3}, {"alpha": 3}), ({"alpha": 0.5}, {"alpha": 0.5})], 2, ALL),
    ("rsub", torch.rsub, [({"alpha": 3}, {"alpha": 3}), ({"alpha": 0.5}, {"alpha": 0.5})], 2, ALL),
    ("div", torch.div, [({"roundingMode": m}, {"rounding_mode": m}) for m in ("trunc", "floor")], 2, ALL),
    ("addcmul", torch.addcmul, [({"value": 2}, {"value": 2}), ({"value": 0.5}, {"value": 0.5})], 3, ALL),
    ("addcdiv", torch.addcdiv, [({"value": 2}, {"value": 2}), ({"value": 0.5}, {"value": 0.5})], 3, ALL),
    ("round", torch.round, [({"decimals": d}, {"decimals": d}) for d in (2, 1, -1)], 1, ["bool", "int32", "float32", "float64"]),
    ("logit", torch.logit, [({"eps": 0.1}, {"eps": 0.1}), ({"eps": 1e-6}, {"eps": 1e-6})], 1, FLOATS),
    ("nanToNum", torch.nan_to_num, [({"nan": 2}, {"nan": 2.0}), ({"posinf": 7, "neginf": -9}, {"posinf": 7.0, "neginf": -9.0})], 1, ALL),
    ("isclose", torch.isclose, [
        ({"rtol": 0.5}, {"rtol": 0.5}),
        ({"atol": 1, "rtol": 0}, {"atol": 1.0, "rtol": 0.0}),
        ({"equalNan": True}, {"equal_nan": True}),
    ], 2, ALL),
    ("isclose", torch.isclose, [({}, {})], 2, ALL),
    ("hardtanh", F.hardtanh, [({"minVal": -2, "maxVal": 3}, {"min_val": -2, "max_val": 3})], 1, ["uint8", "int32", *FLOATS]),
    ("softplus", F.softplus, [({"beta": 2}, {"beta": 2}), ({"beta": 0.5, "threshold": 1}, {"beta": 0.5, "threshold": 1})], 1, FLOATS),
    ("elu", F.elu, [({"alpha": 0.5}, {"alpha": 0.5})], 1, FLOATS),
    ("celu", F.celu, [({"alpha": 0.5}, {"alpha": 0.5})], 1, FLOATS),
    ("leakyRelu", F.leaky_relu, [({"negativeSlope": 0.25}, {"negative_slope": 0.25})], 1, FLOATS),
    ("softshrink", F.softshrink, [({"lambd": 1.25}, {"lambd": 1.25})], 1, FLOATS),
    ("hardshrink", F.hardshrink, [({"lambd": 1.25}, {"lambd": 1.25})], 1, FLOATS),
    ("gelu", F.gelu, [({"approximate": "tanh"}, {"approximate": "tanh"})], 1, FLOATS),
    ("clampMin", torch.clamp_min, [({}, {})], 2, ["uint8", "int32", *FLOATS]),
    ("clampMax", torch.clamp_max, [({}, {})], 2, ["uint8", "int32", *FLOATS]),
]


def plain(value):
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, bool):
        return value
    if isinstance(value, float) and (not math.isfinite(value) or (value == 0 and math.copysign(1, value) < 0)):
        return "NaN" if math.isnan(value) else "-0" if value == 0 else "Infinity" if value > 0 else "-Infinity"
    return value


def line(name, call, ours, theirs, arity, dtype):
    pool = values(dtype, SHARES if name == "logit" else REALS)
    columns = [pool, pool[3:] + pool[:3], pool[5:] + pool[:5]][:arity]
    operands = [torch.tensor(column, dtype=getattr(torch, dtype)) for column in columns]
    record = {"op": name, "options": ours, "dtype": dtype, "in": [[plain(v) for v in o.tolist()] for o in operands]}
    try:
        # Integers divided by zero end PyTorch's call; the others have a value there.
        if name == "div" and "int" in dtype:
            operands[1] = operands[1].where(operands[1] != 0, torch.ones_like(operands[1]))
            record["in"][1] = operands[1].tolist()
        result = call(*operands, **theirs)
        record["out"] = str(result.dtype).removeprefix("torch.")
        record["result"] = [plain(v) for v in result.tolist()]
    except (RuntimeError, NotImplementedError) as error:
        record["error"] = str(error).split("\n")[0]
    return record


def main():
    lines = [
        json.dumps(line(name, call, ours, theirs, arity, dtype))
        for name, call, options, arity, dtypes in CASES
        for ours, theirs in options
        for dtype in dtypes
    ]
    path = Path(__file__).resolve().parent.parent / "test" / "data" / "op-options.json"
    body = ",\n".join(lines)
    path.write_text(f'{{"torch": "{torch.__version__}", "lines": [\n{body}\n]}}\n')
    print(f"{len(lines)} lines", file=sys.stderr)


main()
