"""Writes test/data/tasks.json.gz: what NumPy and PyTorch give for the tasks in test/tasks. Run it with a Python that has both."""

import base64
import gzip
import io
import json
from pathlib import Path

import numpy as np
import torch


def numbers(count, seed):
    return (np.arange(count, dtype=np.float64) * (7919 + 2 * seed) + 13 * seed) % 1009 / 1009


def mandelbrot(rows=24, columns=36, steps=40):
    re, im = np.linspace(-2.2, 0.8, columns), np.linspace(-1.2, 1.2, rows)[:, None]
    x, y = np.zeros((rows, columns)), np.zeros((rows, columns))
    inside = np.zeros((rows, columns), np.int64)
    for _ in range(steps):
        near = x * x + y * y <= 4
        inside += near
        x, y = np.where(near, x * x - y * y + re, x), np.where(near, x * 2 * y + im, y)
    return {"inside": inside, "total": inside.sum(), "never": (inside == steps).sum()}


def options():
    normal = lambda x: torch.special.ndtr(x)
    rate, years = 0.03, 0.5

    def price(spot, strike, spread):
        deviation = spread * years**0.5
        d1 = ((spot / strike).log() + (spread**2 / 2 + rate) * years) / deviation
        discounted = strike * np.exp(-rate * years)
        call = spot * normal(d1) - discounted * normal(d1 - deviation)
        return call, call - spot + discounted, normal(d1)

    strike = torch.linspace(60, 140, 33, dtype=torch.float64)
    spot = torch.full((33,), 100.0, dtype=torch.float64)
    call, put, delta = price(spot, strike, torch.full((33,), 0.25, dtype=torch.float64))
    return {"call": call, "put": put, "delta": delta, "found": torch.full((33,), 0.25, dtype=torch.float64)}


def heat(steps=60):
    plate = np.zeros((20, 30))
    plate[0] = 100
    plate[5:9, 10:14] = 50
    for _ in range(steps):
        plate[1:-1, 1:-1] = (plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2]) / 4
    return {"plate": plate, "mean": plate.mean(), "hottest": plate[1:].max(1)}


def life(steps=30):
    cells = numbers(24 * 32, 3).reshape(24, 32) < 0.35
    for _ in range(steps):
        near = sum(np.roll(cells, (i, j), (0, 1)).astype(int) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        cells = (near == 3) | (cells & (near == 2))
    return {"cells": cells, "alive": cells.sum()}


def k_means(count=400, width=4, groups=6, steps=8):
    points = numbers(count * width, 5).reshape(count, width)
    centers = points[:groups].copy()
    for _ in range(steps):
        nearest = torch.cdist(torch.tensor(points), torch.tensor(centers)).argmin(1).numpy()
        sums = np.zeros((groups, width))
        np.add.at(sums, nearest, points)
        centers = sums / np.maximum(np.bincount(nearest, minlength=groups), 1)[:, None]
    return {"centers": centers, "nearest": nearest, "sizes": np.bincount(nearest, minlength=groups)}


def tables(rows=300):
    shop = (numbers(rows, 7) * 8).astype(np.int64)
    amount = np.round(numbers(rows, 9) * 100)
    totals, largest = np.zeros(8), np.zeros(8)
    np.add.at(totals, shop, amount)
    np.maximum.at(largest, shop, amount)
    order = np.lexsort((-amount, shop))
    best = torch.tensor(totals).topk(3)
    classes = np.bincount(np.digitize(amount, [0, 25, 50, 75, 100]), minlength=6)
    return {
        "totals": totals,
        "largest": largest,
        "counts": np.bincount(shop, minlength=8),
        "order": order,
        "share": amount / totals[shop],
        "strong": np.nonzero(totals > totals.mean())[0],
        "best": best.values,
        "bestShops": best.indices,
        "classes": classes,
    }


def images(height=24, width=32):
    colors = (numbers(height * width * 3, 11).reshape(height, width, 3) * 255).astype(np.uint8)
    gray = colors.astype(np.float64) @ np.array([0.299, 0.587, 0.114])
    kernel = np.outer([1, 2, 1], [1, 2, 1]) / 16
    around = np.lib.stride_tricks.sliding_window_view(np.pad(gray, 1, mode="edge"), (3, 3))
    blurred = np.einsum("hwij,ij->hw", around, kernel)
    edges = np.abs(np.diff(blurred, axis=1)) > 20
    levels = gray.astype(np.int64).reshape(-1)
    share = np.cumsum(np.bincount(levels, minlength=256)) / (height * width)
    return {
        "gray": gray,
        "blurred": blurred,
        "edges": edges.sum(1),
        "equalized": np.round(share[levels] * 255).astype(np.uint8).reshape(height, width),
        "half": gray.reshape(height // 2, 2, width // 2, 2).mean((1, 3)),
        "turned": np.flip(np.rot90(colors), 1),
    }


def functors():
    x = numbers(200, 13) * 6 - 3
    y = np.roll(x, 1)
    return {"swish": x / (1 + np.exp(-1.5 * x)), "circle": np.stack([np.hypot(x, y), np.arctan2(y, x)]), "squares": (x**2).sum()}


def logistic(rows=240, width=5, steps=80):
    x = numbers(rows * width, 17).reshape(rows, width) - 0.5
    y = (x @ np.array([2, -1, 0.5, 3, -2]) + (numbers(rows, 19) - 0.5) > 0).astype(np.float64)
    weights, losses = np.zeros(width), []
    for step in range(steps):
        guess = 1 / (1 + np.exp(-(x @ weights)))
        weights = weights - x.T @ (guess - y) / rows * 4
        if step % 20 == 0:
            losses.append(((guess - y) ** 2).mean())
    return {"weights": weights, "losses": np.array(losses), "share": ((x @ weights > 0) == (y > 0.5)).mean()}


def statistics():
    x = torch.tensor(numbers(12 * 15, 23).reshape(12, 15) * 10 - 4)
    gaps = x.masked_fill(x > 5.5, float("nan"))
    values, indices = x.sort(dim=1, descending=True, stable=True)
    centered = x - x.mean(0)
    return {
        "mean": gaps.nanmean(1),
        "sum": gaps.nansum(),
        "middle": gaps.nanmedian(1).values,
        "quartiles": x.quantile(0.25, 1),
        "spread": x.std(1),
        "variance": x.var(),
        "soft": x.softmax(1),
        "logs": x.logsumexp(0),
        "running": x.cumsum(0),
        "highest": x.cummax(1).values,
        "values": values,
        "indices": indices,
        "norm": x.norm(),
        "correlation": centered.T @ centered / 11,
    }


def written(value):
    array = np.asarray(value)
    return {"dtype": str(array.dtype), "shape": list(array.shape), "values": array.reshape(-1).tolist()}


tasks = [mandelbrot, options, heat, life, k_means, tables, images, functors, logistic, statistics]
file = io.BytesIO()
np.save(file, numbers(12, 29).astype(np.float32).reshape(3, 4))
golden = {
    "npy": base64.b64encode(file.getvalue()).decode(),
    "versions": {"numpy": np.__version__, "torch": torch.__version__},
    "tasks": {task.__name__: {name: written(value) for name, value in task().items()} for task in tasks},
}
path = Path(__file__).parent.parent / "test" / "data" / "tasks.json.gz"
with gzip.GzipFile(path, "wb", mtime=0) as file:
    file.write(json.dumps(golden, separators=(",", ":")).encode())
