"""Writes test/data/accuracy-torch-DEVICE.json: the largest error in ULP of PyTorch's functions on the points of
test/data/accuracy, and at how many of them they are infinite or NaN where the function is not, or the other way round.

    python3 scripts/accuracy_torch.py [cpu|cuda [FILE]]        (needs torch and numpy)

`npm run docs` puts the numbers beside ours.
"""
import json
import os
import re
import struct
import sys

import numpy as np
import torch

HERE = os.path.dirname(__file__)
FOLDER = os.path.join(HERE, "..", "test", "data", "accuracy")
# What torch calls otherwise, or computes from other functions.
OTHERS = {
    "trigamma": lambda x: torch.polygamma(1, x),
    "cbrt": None,
    "gelu": torch.nn.functional.gelu,
    "mish": torch.nn.functional.mish,
    "silu": torch.nn.functional.silu,
    "softplus": torch.nn.functional.softplus,
    "logsigmoid": torch.nn.functional.logsigmoid,
    "tanhshrink": torch.nn.functional.tanhshrink,
    "entr": torch.special.entr,
}


def function_of(name):
    if name in OTHERS:
        return OTHERS[name]
    snake = re.sub(r"(?<=[a-z])([A-Z])", lambda match: "_" + match[1].lower(), name)
    return getattr(torch.special, snake, None) or getattr(torch, snake, None)


def number(bits):
    return struct.unpack(">f" if len(bits) == 8 else ">d", bytes.fromhex(bits))[0]


def apply(name, columns):
    f = function_of(name)
    if f is None:
        return None
    if name in ("polygamma", "multigammaln"):
        order = 0 if name == "polygamma" else 1
        out = torch.empty_like(columns[1 - order])
        for n in set(int(v) for v in columns[order]):
            chosen = columns[order] == n
            x = columns[1 - order][chosen]
            out[chosen] = f(n, x) if order == 0 else f(x, n)
        return out
    return f(*columns)


def largest(table, width, device):
    dtype, (digits, lowest) = (torch.float32, (23, -126)) if width == "float32" else (torch.float64, (52, -1022))
    rows = [row.split(" ") for row in table[width]]
    arity = len(rows[0]) - (3 if width == "float64" else 2)
    columns = [torch.tensor([number(row[i]) for row in rows], dtype=dtype, device=device) for i in range(arity)]
    got = apply(table["op"], columns)
    if got is None:
        return None
    worst, missed = 0.0, 0
    for row, g in zip(rows, got.double().cpu().tolist()):
        value = number(row[arity])
        rest = number(row[arity + 1]) if width == "float64" else 0.0
        if not np.isfinite(value) or not np.isfinite(g):
            missed += not (g == value or (g != g and value != value))
            continue
        magnitude = max(abs(value), table["floor"])
        unit = 2.0 ** (max(np.floor(np.log2(magnitude)), lowest) - digits) if magnitude > 0 else 2.0 ** (lowest - digits)
        worst = max(worst, abs(g - value - rest) / unit)
    return {"largest": round(worst, 2), "missed": missed}


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "..", "test", "data", f"accuracy-torch-{device}.json")
    result = {"torch": torch.__version__, "ops": {}}
    for file in sorted(os.listdir(FOLDER)):
        with open(os.path.join(FOLDER, file)) as f:
            table = json.load(f)
        errors = {width: largest(table, width, device) for width in ("float32", "float64")}
        if errors["float32"] is not None:
            result["ops"][table["op"]] = errors
    with open(path, "w") as f:
        json.dump(result, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
