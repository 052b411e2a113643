"""Writes test/data/numeric.json.gz: what PyTorch and NumPy give for statistics of samples, polynomials, products of pairs and
places. Run it with a Python that has both; test/tensor/numeric.test.ts compares."""

import numpy as np
import torch
from golden import save, written

torch.manual_seed(11)
double = torch.float64


T = {
    "rows": torch.randn([3, 8], dtype=double),
    "series": torch.randn([8], dtype=double),
    "z": torch.randn([3, 8], dtype=torch.complex128),
    "single": torch.randn([2, 6], dtype=torch.float32),
    "counts": torch.tensor([1, 2, 1, 3, 1, 1, 2, 1]),
    "weights": torch.rand([8], dtype=double) + 0.1,
    "at": torch.tensor([-1.0, 0.0, 0.25, 1.0, 1.9, 2.0, 4.0, 5.0, float("nan")], dtype=double),
    "places": torch.tensor([0.0, 1.0, 2.0, 4.0], dtype=double),
    "heights": torch.tensor([3.0, -1.0, 2.0, 0.5], dtype=double),
    "one": torch.tensor([1.5], dtype=double),
    "cube": torch.randn([3, 4, 5], dtype=double),
    "uneven": torch.tensor([0.0, 1.0, 1.5, 4.0, 4.5, 6.0, 7.0, 9.0], dtype=double),
    "uneven4": torch.tensor([0.0, 2.0, 3.0, 7.0], dtype=double),
    "a23": torch.randn([2, 3], dtype=double),
    "b312": torch.randn([3, 1, 2], dtype=double),
    "v3": torch.randn([4, 3], dtype=double),
    "w3": torch.randn([1, 3], dtype=double),
    "whole": torch.tensor([3, 0, -2, 5]),
    "p": torch.tensor([2.0, -1.0, 0.0, 3.0], dtype=double),
    "columns": torch.randn([8, 2], dtype=double),
    "flat": torch.tensor([0, 7, 23, 11]),
    "holes": torch.tensor([[0, 3, 0], [1, 0, 2]]),
}
N = {name: tensor.numpy() for name, tensor in T.items()}

CASES = [
    ("rows.cov()", lambda: torch.cov(T["rows"])),
    ("series.cov()", lambda: torch.cov(T["series"])),
    ("z.cov()", lambda: torch.cov(T["z"])),
    ("single.cov()", lambda: torch.cov(T["single"])),
    ("rows.cov({ correction: 0 })", lambda: torch.cov(T["rows"], correction=0)),
    ("rows.cov({ fweights: counts })", lambda: torch.cov(T["rows"], fweights=T["counts"])),
    ("rows.cov({ aweights: weights })", lambda: torch.cov(T["rows"], aweights=T["weights"])),
    ("rows.cov({ fweights: counts, aweights: weights, correction: 2 })", lambda: torch.cov(T["rows"], fweights=T["counts"], aweights=T["weights"], correction=2)),
    ("rows.corrcoef()", lambda: torch.corrcoef(T["rows"])),
    ("series.corrcoef()", lambda: torch.corrcoef(T["series"])),
    ("z.corrcoef()", lambda: torch.corrcoef(T["z"])),
    ("at.interp(places, heights)", lambda: np.interp(N["at"], N["places"], N["heights"])),
    ("at.interp(places, heights, { left: -9, right: 9 })", lambda: np.interp(N["at"], N["places"], N["heights"], left=-9, right=9)),
    ("at.interp(one, one)", lambda: np.where(np.isnan(N["at"]), np.nan, np.interp(N["at"], N["one"], N["one"]))),
    ("cube.interp(places, heights)", lambda: np.interp(N["cube"], N["places"], N["heights"])),
    ("series.trapz()", lambda: torch.trapz(T["series"])),
    ("series.trapz(uneven)", lambda: torch.trapz(T["series"], T["uneven"])),
    ("cube.trapezoid({ dx: 0.5, dim: 1 })", lambda: torch.trapezoid(T["cube"], dx=0.5, dim=1)),
    ("cube.trapezoid(uneven4, { dim: 1 })", lambda: torch.trapezoid(T["cube"], T["uneven4"], dim=1)),
    ("cube.trapezoid(cube, { dim: 0 })", lambda: torch.trapezoid(T["cube"], T["cube"], dim=0)),
    ("one.trapz()", lambda: torch.trapz(T["one"])),
    *[(f"cube.gradient()[{i}]", lambda i=i: torch.gradient(T["cube"])[i]) for i in range(3)],
    ("series.gradient({ spacing: 0.25 })[0]", lambda: torch.gradient(T["series"], spacing=0.25)[0]),
    ("series.gradient({ edgeOrder: 2, spacing: 2 })[0]", lambda: torch.gradient(T["series"], spacing=2.0, edge_order=2)[0]),
    ("series.gradient({ spacing: [uneven] })[0]", lambda: torch.gradient(T["series"], spacing=(T["uneven"],))[0]),
    ("series.gradient({ spacing: [uneven], edgeOrder: 2 })[0]", lambda: np.gradient(N["series"], N["uneven"], edge_order=2)),
    *[(f"cube.gradient({{ spacing: [uneven4, 3], dim: [1, 0] }})[{i}]", lambda i=i: np.gradient(N["cube"], N["uneven4"], 3, axis=(1, 0))[i]) for i in range(2)],
    ("z.gradient({ dim: 1 })[0]", lambda: torch.gradient(T["z"], dim=1)[0]),
    ("a23.kron(b312)", lambda: torch.kron(T["a23"], T["b312"])),
    ("b312.kron(a23)", lambda: torch.kron(T["b312"], T["a23"])),
    ("whole.kron(whole)", lambda: torch.kron(T["whole"], T["whole"])),
    ("v3.cross(w3)", lambda: torch.linalg.cross(T["v3"], T["w3"])),
    ("a23.T.cross(a23.T.flip(1), 0)", lambda: torch.linalg.cross(T["a23"].T, T["a23"].T.flip(1), dim=0)),
    ("jl.vander(whole)", lambda: torch.vander(T["whole"])),
    ("jl.vander(p, 3)", lambda: torch.vander(T["p"], 3)),
    ("jl.vander(p, 5, { increasing: true })", lambda: torch.vander(T["p"], 5, increasing=True)),
    ("jl.vander(p, 1)", lambda: torch.vander(T["p"], 1)),
    ("jl.vander(z.select(0, 0), 4)", lambda: torch.vander(T["z"][0], 4)),
    ("jl.polyval(p, cube)", lambda: np.polyval(N["p"], N["cube"])),
    ("jl.polyval(p, whole)", lambda: np.polyval(N["p"], N["whole"])),
    *[(f"jl.polyfit(uneven, series, {n})", lambda n=n: np.polyfit(N["uneven"], N["series"], n)) for n in [0, 1, 3, 6]],
    ("jl.polyfit(uneven, columns, 2)", lambda: np.polyfit(N["uneven"], N["columns"], 2)),
    ("holes.argwhere()", lambda: torch.argwhere(T["holes"])),
    *[(f"flat.unravelIndex([2, 3, 4])[{i}]", lambda i=i: torch.unravel_index(T["flat"], (2, 3, 4))[i]) for i in range(3)],
    ("jl.columnStack([series, columns, series])", lambda: torch.column_stack([T["series"], T["columns"], T["series"]])),
    ("jl.dstack([series, series])", lambda: torch.dstack([T["series"], T["series"]])),
    ("jl.dstack([a23, a23, a23])", lambda: torch.dstack([T["a23"], T["a23"], T["a23"]])),
    ("jl.dstack([cube, cube])", lambda: torch.dstack([T["cube"], T["cube"]])),
    ("jl.cartesianProd(places, one, heights)", lambda: torch.cartesian_prod(T["places"], T["one"], T["heights"])),
    ("jl.cartesianProd(places)", lambda: torch.cartesian_prod(T["places"])),
    ('jl.geomspace(1, 1000, 4, { dtype: "float64" })', lambda: np.geomspace(1, 1000, 4)),
    ('jl.geomspace(-8, -0.5, 7, { dtype: "float64" })', lambda: np.geomspace(-8, -0.5, 7)),
    ('jl.geomspace(3, 5, 1, { dtype: "float64" })', lambda: np.geomspace(3, 5, 1)),
    ("z.viewAsReal()", lambda: torch.view_as_real(T["z"])),
    ("columns.viewAsComplex()", lambda: torch.view_as_complex(T["columns"])),
]

cases = [{"call": call, "result": written(run())} for call, run in CASES]
data = {"numpy": np.__version__, "inputs": {k: written(v) for k, v in T.items()}, "cases": cases}
save("numeric", len(cases), data)
