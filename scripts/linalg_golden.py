"""Writes test/data/linalg.json.gz: what torch.linalg gives for small matrices over dtypes, shapes and batches, among them
singular and ill-conditioned ones. Run it with a Python that has torch; test/support/linalg-suite.ts compares."""

import math

import torch
from golden import save, written

DTYPES = ["float32", "float64", "complex64", "complex128"]
torch.manual_seed(5)


def matrices(shape, dtype):
    return torch.randn(shape, dtype=torch.complex128 if dtype.startswith("complex") else torch.float64)


def shapes_of(dtype):
    """Named inputs, in double precision and then rounded to the dtype."""
    random = {
        "square": matrices([4, 4], dtype),
        "batch": matrices([2, 3, 3, 3], dtype),
        "one": matrices([1, 1], dtype),
        "tall": matrices([2, 5, 3], dtype),
        "wide": matrices([3, 5], dtype),
        "slim": matrices([5, 3], dtype),
        "vector": matrices([4], dtype),
        "rightsides": matrices([4, 2], dtype),
        "batchsides": matrices([3, 3, 2], dtype),
        "tallsides": matrices([5, 2], dtype),
        "widesides": matrices([3, 2], dtype),
        "empty": matrices([2, 0, 0], dtype),
    }
    a = random["batch"]
    random["positive"] = a @ a.mH + torch.eye(3)
    random["hermitian"] = a + a.mH
    random["rank2"] = matrices([5, 2], dtype) @ matrices([2, 4], dtype)
    random["zeros"] = torch.zeros([3, 3], dtype=a.dtype)
    hilbert = torch.tensor([[1 / (i + j + 1) for j in range(4)] for i in range(4)], dtype=torch.float64)
    random["hilbert"] = hilbert.to(a.dtype)
    random["large"] = matrices([3, 3], dtype) * 30
    return {name: tensor.to(getattr(torch, dtype)) for name, tensor in random.items()}


L = torch.linalg
# The function, its named inputs, and further arguments as JavaScript writes them; the results by the names of ours.
CASES = [
    ("solve", ["square", "vector"], "", lambda a, b: {"": L.solve(a, b)}),
    ("solve", ["square", "rightsides"], "", lambda a, b: {"": L.solve(a, b)}),
    ("solve", ["batch", "batchsides"], "", lambda a, b: {"": L.solve(a, b)}),
    ("solve", ["square", "square"], "{ left: false }", lambda a, b: {"": L.solve(a, b, left=False)}),
    ("solve", ["hilbert", "vector"], "", lambda a, b: {"": L.solve(a, b)}),
    ("inv", ["batch"], "", lambda a: {"": L.inv(a)}),
    ("inv", ["empty"], "", lambda a: {"": L.inv(a)}),
    *[("det", [name], "", lambda a: {"": L.det(a)}) for name in ["square", "batch", "one", "zeros", "empty", "large"]],
    *[
        ("slogdet", [name], "", lambda a: dict(zip(["sign", "logabsdet"], L.slogdet(a))))
        for name in ["square", "batch", "zeros", "empty"]
    ],
    *[("lu", [name], "", lambda a: dict(zip("PLU", L.lu(a)))) for name in ["square", "batch", "tall", "wide", "zeros"]],
    *[
        ("luFactor", [name], "", lambda a: dict(zip(["LU", "pivots"], L.lu_factor(a))))
        for name in ["square", "tall", "wide"]
    ],
    ("cholesky", ["positive"], "", lambda a: {"": L.cholesky(a)}),
    ("cholesky", ["positive"], "{ upper: true }", lambda a: {"": L.cholesky(a, upper=True)}),
    ("choleskySolve", ["batchsides", "positive"], "", lambda b, a: {"": torch.cholesky_solve(b, a)}),
    ("choleskySolve", ["batchsides", "positive"], "{ upper: true }", lambda b, a: {"": torch.cholesky_solve(b, a, upper=True)}),
    *[
        (
            "solveTriangular",
            ["square", "square" if not left else "rightsides"],
            f"{{ upper: {str(upper).lower()}, left: {str(left).lower()}, unitriangular: {str(unit).lower()} }}",
            lambda a, b, upper=upper, left=left, unit=unit: {
                "": L.solve_triangular(a, b, upper=upper, left=left, unitriangular=unit)
            },
        )
        for upper in [False, True]
        for left in [False, True]
        for unit in [False, True]
    ],
    *[
        ("qr", [name], f'{{ mode: "{mode}" }}', lambda a, mode=mode: dict(zip("QR", L.qr(a, mode=mode))))
        for name in ["square", "batch", "tall", "wide", "one"]
        for mode in ["reduced", "complete", "r"]
    ],
    *[("eigvalsh", [name], "", lambda a: {"": L.eigvalsh(a)}) for name in ["hermitian", "zeros", "one"]],
    *[("eigvalsh", ["square"], f'{{ UPLO: "{u}" }}', lambda a, u=u: {"": L.eigvalsh(a, UPLO=u)}) for u in "LU"],
    *[
        ("svdvals", [name], "", lambda a: {"": L.svdvals(a)})
        for name in ["square", "batch", "tall", "wide", "zeros", "hilbert", "rank2", "empty"]
    ],
    *[
        ("lstsq", [name, sides], "", lambda a, b: {"solution": L.lstsq(a, b, driver="gelsd").solution})
        for name, sides in [("slim", "tallsides"), ("wide", "widesides"), ("rank2", "tallsides"), ("square", "rightsides")]
    ],
    *[("pinv", [name], "", lambda a: {"": L.pinv(a)}) for name in ["tall", "wide", "rank2", "zeros", "square"]],
    ("pinv", ["hermitian"], "{ hermitian: true }", lambda a: {"": L.pinv(a, hermitian=True)}),
    ("pinv", ["square"], "{ atol: 0.5, rtol: 0.1 }", lambda a: {"": L.pinv(a, atol=0.5, rtol=0.1)}),
    *[("matrixRank", [name], "", lambda a: {"": L.matrix_rank(a)}) for name in ["tall", "batch", "rank2", "zeros"]],
    ("matrixRank", ["hermitian"], "{ hermitian: true }", lambda a: {"": L.matrix_rank(a, hermitian=True)}),
    ("matrixRank", ["square"], "{ atol: 1.5 }", lambda a: {"": L.matrix_rank(a, atol=1.5)}),
    *[("matrixPower", ["batch"], str(n), lambda a, n=n: {"": L.matrix_power(a, n)}) for n in [0, 1, 2, 5, -1, -2]],
    *[("matrixExp", [name], "", lambda a: {"": L.matrix_exp(a)}) for name in ["square", "batch", "zeros", "one"]],
    *[
        ("norm", [name], "", lambda a: {"": L.norm(a)})
        for name in ["vector", "square", "batch", "zeros"]
    ],
    *[
        ("norm", ["square"], text, lambda a, ord=ord: {"": L.norm(a, ord)})
        for text, ord in [('"fro"', "fro"), ('"nuc"', "nuc"), ("1", 1), ("-1", -1), ("2", 2), ("-2", -2), ("Infinity", math.inf), ("-Infinity", -math.inf)]
    ],
    *[
        ("norm", ["vector"], text, lambda a, ord=ord: {"": L.norm(a, ord)})
        for text, ord in [("0", 0), ("1", 1), ("3", 3), ("Infinity", math.inf), ("-Infinity", -math.inf)]
    ],
    ("norm", ["batch"], '"nuc", { dim: [0, 2], keepdim: true }', lambda a: {"": L.norm(a, "nuc", dim=(0, 2), keepdim=True)}),
    ("norm", ["batch"], "2, { dim: [3, 1] }", lambda a: {"": L.norm(a, 2, dim=(3, 1))}),
    ("norm", ["batch"], "3, { dim: 1 }", lambda a: {"": L.norm(a, 3, dim=1)}),
    ("norm", ["batch"], "1, { dim: [2, 3] }", lambda a: {"": L.norm(a, 1, dim=(2, 3))}),
    ("matrixNorm", ["batch"], '"fro"', lambda a: {"": L.matrix_norm(a)}),
    ("matrixNorm", ["batch"], '"fro", { dim: [0, 1] }', lambda a: {"": L.matrix_norm(a, dim=(0, 1))}),
    ("vectorNorm", ["batch"], "", lambda a: {"": L.vector_norm(a)}),
    *[
        ("cond", [name], text, lambda a, p=p: {"": L.cond(a, p)})
        for name in ["square", "batch"]
        for text, p in [("", None), ("-2", -2), ('"fro"', "fro"), ('"nuc"', "nuc"), ("1", 1), ("Infinity", math.inf)]
    ],
    ("cond", ["zeros"], "1", lambda a: {"": L.cond(a, 1)}),
    ("cond", ["tall"], "", lambda a: {"": L.cond(a)}),
]

tables = []
for dtype in DTYPES:
    inputs = shapes_of(dtype)
    cases = [
        {"name": name, "inputs": given, "more": more, "results": {key: written(t) for key, t in run(*[inputs[g] for g in given]).items()}}
        for name, given, more, run in CASES
    ]
    tables.append({"dtype": dtype, "inputs": {name: written(t) for name, t in inputs.items()}, "cases": cases})

save("linalg", sum(len(t["cases"]) for t in tables), {"tables": tables})
