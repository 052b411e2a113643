"""Writes test/data/fft.json.gz: what torch.fft gives for small tensors over dtypes, lengths, dimensions and norms. Run it
with a Python that has torch; test/linalg/fft.test.ts compares."""

import torch
from golden import save, written

torch.manual_seed(3)
F = torch.fft


INPUTS = {
    **{f"z{n}": torch.randn([2, n], dtype=torch.complex128) for n in [1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 17, 24, 34, 49]},
    **{f"x{n}": torch.randn([2, n], dtype=torch.float64) for n in [1, 2, 3, 8, 9, 17]},
    "cube": torch.randn([3, 4, 5], dtype=torch.complex128),
    "real": torch.randn([3, 4, 6], dtype=torch.float64),
    "whole": torch.arange(6),
    "flags": torch.tensor([True, False, True]),
    "single": torch.randn([6], dtype=torch.complex64),
    "small": torch.randn([6], dtype=torch.float32),
}

# The function, its input, our options as JavaScript, and PyTorch's as keywords.
CASES = [
    *[(name, f"z{n}", "", {}) for n in [1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 17, 24, 34, 49] for name in ["fft", "ifft"]],
    *[("rfft", f"x{n}", "", {}) for n in [1, 2, 3, 8, 9, 17]],
    *[("irfft", f"z{n}", "", {}) for n in [2, 3, 5, 8, 17]],
    *[("irfft", "z5", f"{{ n: {n} }}", {"n": n}) for n in [1, 3, 7, 9, 12]],
    *[
        (name, given, f'{{ norm: "{norm}" }}', {"norm": norm})
        for norm in ["backward", "ortho", "forward"]
        for name, given in [("fft", "z6"), ("ifft", "z6"), ("rfft", "x9"), ("irfft", "z5"), ("fftn", "cube"), ("irfftn", "cube"), ("fft", "z17"), ("ifft", "z17")]
    ],
    *[("fft", "z8", f"{{ n: {n} }}", {"n": n}) for n in [1, 5, 12]],
    ("fft", "cube", "{ dim: 0 }", {"dim": 0}),
    ("fft", "cube", "{ dim: -2, n: 7 }", {"dim": -2, "n": 7}),
    ("rfft", "real", "{ dim: 1 }", {"dim": 1}),
    ("irfft", "cube", "{ dim: 0, n: 4 }", {"dim": 0, "n": 4}),
    ("fft", "whole", "", {}),
    ("rfft", "flags", "", {}),
    ("fft", "single", "", {}),
    ("rfft", "small", "", {}),
    *[(name, "cube", "", {}) for name in ["fft2", "ifft2", "irfft2", "fftn", "ifftn", "irfftn"]],
    *[(name, "real", "", {}) for name in ["fft2", "rfft2", "rfftn", "fftn"]],
    ("fft2", "cube", "{ dim: [0, 2] }", {"dim": (0, 2)}),
    ("fftn", "cube", "{ s: [2, 6] }", {"s": (2, 6)}),
    ("fftn", "cube", "{ s: [-1, 3], dim: [2, 0] }", {"s": (-1, 3), "dim": (2, 0)}),
    ("rfftn", "real", "{ dim: [2, 0] }", {"dim": (2, 0)}),
    ("irfftn", "cube", "{ s: [4, 7], dim: [1, 0] }", {"s": (4, 7), "dim": (1, 0)}),
]

cases = [
    {"name": name, "input": given, "more": more, "result": written(getattr(F, name)(INPUTS[given], **options))}
    for name, given, more, options in CASES
]
orders = [
    {"call": f"fftfreq({n}, {{ d: {d} }})", "result": written(F.fftfreq(n, d))} for n, d in [(1, 1), (2, 1), (7, 0.5), (8, 2)]
] + [{"call": f"rfftfreq({n}, {{ d: {d} }})", "result": written(F.rfftfreq(n, d))} for n, d in [(1, 1), (7, 0.5), (8, 2)]]
for name in ["fftshift", "ifftshift"]:
    for text, dim in [("", None), (", 1", 1), (", [0, 2]", (0, 2))]:
        orders.append({"call": f"{name}(cube{text})", "result": written(getattr(F, name)(INPUTS["cube"], dim=dim))})

data = {"inputs": {k: written(v) for k, v in INPUTS.items()}, "cases": cases, "orders": orders}
save("fft", len(cases) + len(orders), data)
