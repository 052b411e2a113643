"""The functions of tensors.ts as torch and NumPy write them, with each one's clock."""

import time


def life(board, roll, to_bytes):
    """Ten steps of the game of Life, by the rolled board's sum."""

    def run():
        cells = board
        for _ in range(10):
            near = sum(roll(cells, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
            cells = to_bytes((near == 3) | ((cells == 1) & (near == 2)))
        return cells

    return run


def kmeans(points, means):
    """Five steps of k-means with 32 centers; `means` gives the centers of the points by each one's index."""

    def run():
        centers = points[:32]
        for _ in range(5):
            distance = (points * points).sum(1)[:, None] - 2 * points @ centers.T + (centers * centers).sum(1)
            centers = means(distance.argmin(1))
        return centers

    return run


def host_seconds(call):
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def torch_clock(device):
    """Seconds of one call; on a GPU of one of five, between two events."""
    import torch

    def seconds(call):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(5):
            call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 5e3

    return host_seconds if device == "cpu" else seconds


def torch_peer(device, log2):
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    n = 1 << log2
    torch.manual_seed(1)
    x = lambda: torch.rand(n, device=device)
    rows = lambda: torch.rand(n // 1024, 1024, device=device)
    below = lambda limit: torch.randint(0, limit, (n,), device=device)
    small = lambda: torch.randint(0, 1000, (n,), device=device, dtype=torch.int32)

    def on(make, call):
        def prepare():
            values = make()
            return lambda: call(*values)

        return prepare

    def product(edge, dtype):
        make = lambda: [torch.randn(edge, edge, device=device).to(dtype) for _ in range(2)]
        return on(make, lambda a, b: a @ b)

    def means(points):
        def of(nearest):
            sums = torch.zeros(32, 16, device=device).index_add_(0, nearest, points)
            return sums / torch.bincount(nearest, minlength=32).clamp(min=1).unsqueeze(1)

        return of

    def prepare_life():
        return life((torch.rand(1024, 1024, device=device) < 0.3).to(torch.uint8), torch.roll, lambda x: x.to(torch.uint8))

    def prepare_kmeans():
        points = torch.rand(200000, 16, device=device)
        return kmeans(points, means(points))

    cases = {
        "index-select": on(lambda: (rows(), torch.randint(0, n // 1024, (n // 1024,), device=device)), lambda a, i: a.index_select(0, i)),
        "gather": on(lambda: (rows(), torch.randint(0, 1024, (n // 1024, 1024), device=device)), lambda a, i: a.gather(1, i)),
        "take": on(lambda: (x(), below(n)), lambda a, i: a.take(i)),
        "scatter-add": on(lambda: (below(1000), x()), lambda i, a: torch.zeros(1000, device=device).scatter_add_(0, i, a)),
        "scatter-add-wide": on(lambda: (below(n), x()), lambda i, a: torch.zeros(n, device=device).scatter_add_(0, i, a)),
        "index-add": on(lambda: (torch.randint(0, 1000, (n // 256,), device=device), torch.rand(n // 256, 256, device=device)), lambda i, a: torch.zeros(1000, 256, device=device).index_add_(0, i, a)),
        "argmin-rows": on(lambda: (rows(),), lambda a: a.argmin(1)),
        "cumsum": on(lambda: (x(),), lambda a: a.cumsum(0)),
        "cumsum-rows": on(lambda: (rows(),), lambda a: a.cumsum(1)),
        "sort": on(lambda: (x(),), lambda a: a.sort()),
        "sort-rows": on(lambda: (rows(),), lambda a: a.sort(1)),
        "argsort": on(lambda: (x(),), lambda a: a.argsort()),
        "topk": on(lambda: (x(),), lambda a: a.topk(100)),
        "topk-rows": on(lambda: (rows(),), lambda a: a.topk(10)),
        "unique": on(lambda: (small(),), lambda a: a.unique()),
        "bincount": on(lambda: (small(),), lambda a: a.bincount(minlength=1000)),
        "histc": on(lambda: (x(),), lambda a: a.histc(100, 0, 1)),
        "masked-select": on(lambda: (x(),), lambda a: a.masked_select(a > 0.5)),
        "nonzero": on(lambda: (x().gt(0.5),), lambda a: a.nonzero()),
        "median": on(lambda: (x(),), lambda a: a.median()),
        "logsumexp": on(lambda: (rows(),), lambda a: a.logsumexp(1)),
        "var-rows": on(lambda: (rows(),), lambda a: a.var(1)),
        "softmax-rows": on(lambda: (rows(),), lambda a: a.softmax(1)),
        "norm-rows": on(lambda: (rows(),), lambda a: torch.linalg.vector_norm(a, dim=1)),
        "max-rows-indices": on(lambda: (rows(),), lambda a: a.max(1)),
        "cdist": on(lambda: (torch.rand(2048, 64, device=device), torch.rand(2048, 64, device=device)), torch.cdist),
        "life": prepare_life,
        "k-means": prepare_kmeans,
    }
    for edge in (512, 1024, 2048, 4096, 8192):
        for dtype in ("float32", "float64", "float16", "bfloat16"):
            cases[f"matmul-{dtype}-{edge}"] = product(edge, getattr(torch, dtype))

    return cases, torch_clock(device)


def numpy_peer(_device, log2):
    import numpy as np

    n = 1 << log2
    random = np.random.default_rng(1)
    x = lambda: random.random(n, dtype=np.float32)
    rows = lambda: x().reshape(-1, 1024)
    below = lambda limit: random.integers(0, limit, n)

    def on(make, call):
        def prepare():
            values = make()
            return lambda: call(*values)

        return prepare

    def product(edge, dtype):
        return on(lambda: [random.standard_normal((edge, edge)).astype(dtype) for _ in range(2)], lambda a, b: a @ b)

    def means(points):
        def of(nearest):
            sums = np.stack([np.bincount(nearest, points[:, d], 32) for d in range(16)], 1).astype(np.float32)
            return sums / np.maximum(np.bincount(nearest, minlength=32), 1)[:, None].astype(np.float32)

        return of

    def prepare_life():
        return life((random.random((1024, 1024)) < 0.3).astype(np.uint8), np.roll, lambda x: x.astype(np.uint8))

    def prepare_kmeans():
        points = random.random((200000, 16), dtype=np.float32)
        return kmeans(points, means(points))

    cases = {
        "index-select": on(lambda: (rows(), random.integers(0, n // 1024, n // 1024)), lambda a, i: a[i]),
        "gather": on(lambda: (rows(), random.integers(0, 1024, (n // 1024, 1024))), lambda a, i: np.take_along_axis(a, i, 1)),
        "take": on(lambda: (x(), below(n)), lambda a, i: a.take(i)),
        "scatter-add": on(lambda: (below(1000), x()), lambda i, a: np.bincount(i, a, 1000)),
        "argmin-rows": on(lambda: (rows(),), lambda a: a.argmin(1)),
        "cumsum": on(lambda: (x(),), lambda a: a.cumsum()),
        "cumsum-rows": on(lambda: (rows(),), lambda a: a.cumsum(1)),
        "sort": on(lambda: (x(),), lambda a: np.sort(a)),
        "argsort": on(lambda: (x(),), lambda a: np.argsort(a, kind="stable")),
        "unique": on(lambda: (random.integers(0, 1000, n, dtype=np.int32),), np.unique),
        "bincount": on(lambda: (random.integers(0, 1000, n, dtype=np.int32),), lambda a: np.bincount(a, minlength=1000)),
        "histc": on(lambda: (x(),), lambda a: np.histogram(a, 100, (0, 1))),
        "masked-select": on(lambda: (x(),), lambda a: a[a > 0.5]),
        "nonzero": on(lambda: (x() > 0.5,), np.nonzero),
        "median": on(lambda: (x(),), np.median),
        "var-rows": on(lambda: (rows(),), lambda a: a.var(1, ddof=1)),
        "norm-rows": on(lambda: (rows(),), lambda a: np.linalg.norm(a, axis=1)),
        "life": prepare_life,
        "k-means": prepare_kmeans,
    }
    for edge in (512, 1024, 2048):
        for dtype in ("float32", "float64"):
            cases[f"matmul-{dtype}-{edge}"] = product(edge, dtype)

    return cases, host_seconds


def best_milliseconds(call, seconds, budget):
    """Of rounds of one call: the best."""
    warm = time.perf_counter() + 0.05
    seconds(call)
    while time.perf_counter() < warm:
        call()
    began, rounds = time.perf_counter(), []
    while len(rounds) < 3 or time.perf_counter() - began < budget:
        rounds.append(seconds(call))
    return min(rounds) * 1e3


LIBRARIES = {"torch": torch_peer, "numpy": numpy_peer}
