"""What the scripts that ask PyTorch for golden data share: tensors as test/support/written.ts reads them, and their files."""

import gzip
import json
import math
from pathlib import Path

import numpy as np
import torch


def element(value):
    if isinstance(value, complex):
        return [element(value.real), element(value.imag)]
    if isinstance(value, (bool, int)):
        return int(value)
    return value if math.isfinite(value) else str(value).replace("inf", "Infinity").replace("nan", "NaN")


def written(value):
    """A tensor, or what NumPy makes an array of, as its dtype, shape and values."""
    tensor = value if isinstance(value, torch.Tensor) else torch.from_numpy(np.asarray(value))
    name = str(tensor.dtype).removeprefix("torch.")
    return {"dtype": name, "shape": list(tensor.shape), "values": [element(v) for v in tensor.reshape(-1).tolist()]}


def save(name, count, data):
    """Writes test/data/NAME.json.gz with the version of PyTorch."""
    path = Path(__file__).parent.parent / "test" / "data" / f"{name}.json.gz"
    text = json.dumps({"torch": torch.__version__, **data}, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(path, len(text), path.stat().st_size, count)
