"""The points that Boost publishes for its tests of special functions, as SciPy ships them: {op: {"args": [[...], ...], "want": [...]}}.

Usage: python3 scripts/boost_points.py > points.json               needs SciPy; test/ops/boost.test.ts reads it
       python3 scripts/boost_points.py --peers > test/data/boost-peers.json    the largest errors of PyTorch and SciPy there
"""

import json
import os
import sys

import numpy as np
import scipy
import scipy.special

DATA = np.load(os.path.join(os.path.dirname(scipy.special.__file__), "tests", "data", "boost.npz"))

# Of each function: how the names of its tables begin, the columns of its arguments and of its value, and a fixed order.
TABLES = {
    "besselJ0": [(("bessel_j_int_data", "bessel_j_data", "bessel_j_large_data"), (1,), 2, 0)],
    "besselJ1": [(("bessel_j_int_data", "bessel_j_data", "bessel_j_large_data"), (1,), 2, 1)],
    "besselY0": [(("bessel_y01", "bessel_yn"), (1,), 2, 0)],
    "besselY1": [(("bessel_y01", "bessel_yn"), (1,), 2, 1)],
    "cbrt": [(("cbrt",), (1,), 0, None)],
    "digamma": [(("digamma",), (0,), 1, None)],
    "erf": [(("erf_data", "erf_large", "erf_small"), (0,), 1, None)],
    "erfc": [(("erf_data", "erf_large", "erf_small"), (0,), 2, None)],
    "erfinv": [(("erf_inv",), (0,), 1, None)],
    "expm1": [(("log1p_expm1",), (0,), 2, None)],
    "gammainc": [(("igamma_small", "igamma_med", "igamma_big", "igamma_int"), (0, 1), 5, None)],
    "gammaincc": [(("igamma_small", "igamma_med", "igamma_big", "igamma_int"), (0, 1), 3, None)],
    "hermitePolynomialH": [(("hermite",), (1, 0), 2, None)],
    "i0": [(("bessel_i_int_data", "bessel_i_data"), (1,), 2, 0)],
    "i1": [(("bessel_i_int_data", "bessel_i_data"), (1,), 2, 1)],
    "laguerrePolynomialL": [(("laguerre2",), (1, 0), 2, None)],
    "legendrePolynomialP": [(("legendre_p_ipp",), (1, 0), 2, None)],
    "lgamma": [(("test_gamma_data_ipp-near", "test_gamma_data_ipp-fact"), (0,), 2, None)],
    "log1p": [(("log1p_expm1",), (0,), 1, None)],
    "modifiedBesselK0": [(("bessel_k_int_data", "bessel_k_data"), (1,), 2, 0)],
    "modifiedBesselK1": [(("bessel_k_int_data", "bessel_k_data"), (1,), 2, 1)],
    "zeta": [(("zeta_data", "zeta_1_up"), (0,), 1, None)],
}


def points():
    """All points: lists of arguments, and the values."""
    found = {}
    for op, parts in TABLES.items():
        args, want = None, []
        for starts, columns, value, order in parts:
            for name in sorted(DATA.files):
                if not name.startswith(starts) or "prime" in name or name.startswith("erf_inv") != (op == "erfinv"):
                    continue
                rows = DATA[name]
                if order is not None:
                    rows = rows[rows[:, 0] == order]
                picked = [rows[:, column] for column in columns]
                if op == "zeta":
                    picked.append(np.ones(len(rows)))
                args = picked if args is None else [np.concatenate(pair) for pair in zip(args, picked)]
                want.append(rows[:, value])
        found[op] = {"args": [list(map(float, one)) for one in args], "want": list(map(float, np.concatenate(want)))}
    return found


def peers():
    """The largest relative error of each library at all points, in units of 2^-52; and the points above 200 of them."""
    import torch

    special = torch.special
    named = {"besselJ": "bessel_j", "besselY": "bessel_y", "modifiedBesselK": "modified_bessel_k"}
    polynomials = {"hermitePolynomialH": "hermite_polynomial_h", "laguerrePolynomialL": "laguerre_polynomial_l"}
    polynomials["legendrePolynomialP"] = "legendre_polynomial_p"

    def of_torch(op):
        name = polynomials.get(op, op)
        for ours, theirs in named.items():
            if op.startswith(ours):
                name = theirs + op[-1]
        return getattr(special, name, None) or getattr(torch, name, None)

    def of_scipy(op):
        known = {"besselJ0": "j0", "besselJ1": "j1", "besselY0": "y0", "besselY1": "y1", "lgamma": "gammaln"}
        known |= {"modifiedBesselK0": "k0", "modifiedBesselK1": "k1"}
        return getattr(scipy.special, known.get(op, op), None)

    found = {"torch": {}, "scipy": {}, "versions": {"torch": torch.__version__, "scipy": scipy.__version__}}
    for op, table in points().items():
        args, want = [np.array(one) for one in table["args"]], np.array(table["want"])
        for library, f in (("torch", of_torch(op)), ("scipy", of_scipy(op))):
            if f is None:
                continue
            got = f(*map(torch.tensor, args)).numpy() if library == "torch" else f(*args)
            with np.errstate(all="ignore"):
                error = np.where(got == want, 0, np.abs(got - want) / np.abs(want)) * 2.0**52
            error = np.where(np.isnan(error), np.inf, error)
            worst = float(error.max())
            found[library][op] = {"largest": worst if np.isfinite(worst) else "inf", "above200": int((error > 200).sum())}
    return found


print(json.dumps(peers() if "--peers" in sys.argv else points(), indent=1 if "--peers" in sys.argv else None))
