"""The tasks of tasks.ts as users of the peers write them, and the clock of their figures."""

import math
import time

EARLY_CALLS = 50


def repeated(step, *start):
    state = list(start)

    def call():
        state[:] = step(*state)
        return state

    return call


def measured(call, sync, early=EARLY_CALLS):
    """Microseconds of the first call, of those soon after, and of later ones; `sync` waits for a result."""

    def timed(calls):
        began = time.perf_counter()
        for _ in range(calls):
            result = call()
        sync(result)
        return (time.perf_counter() - began) / calls * 1e6

    first, soon = timed(1), timed(early)
    calls = max(1, min(100, round(5e4 / soon)))
    later, until = [], time.perf_counter() + 3
    while len(later) < 5 or (time.perf_counter() < until and len(later) < 15):
        later.append(timed(calls))
    return {"first": first, "early": soon, "later": sorted(later)[len(later) // 2]}


def torch_tasks(device, compiles):
    """Makers of calls by name. With `compiles` only the tasks that tasks.ts compiles, too."""
    import torch
    import torch.nn.functional as F

    gpu = device == "cuda"
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    size = lambda large, small: large if gpu else small
    compiled = torch.compile if compiles else lambda f: f

    def adding(n):
        x = torch.rand(n, device=device)
        return lambda: x + 1

    def laplacian(a):
        return a.roll(1, 0) + a.roll(-1, 0) + a.roll(1, 1) + a.roll(-1, 1) - a * 4

    def step_of_gray_scott(u, v):
        w = u * v * v
        return u + laplacian(u) * 0.16 - w + (1 - u) * 0.035, v + laplacian(v) * 0.08 + w - v * 0.1

    def gray_scott(step):
        n = size(1024, 256)
        return repeated(step, torch.ones(n, n, device=device), torch.rand(n, n, device=device) * 0.1)

    def n_body():
        n = size(4000, 1000)
        mass = torch.ones(n, device=device) / n

        def step(p, v):
            d = p[None] - p[:, None]
            w = (d.square().sum(-1) + 0.01) ** -1.5 * mass
            u = v + (d * w[..., None]).sum(1) * 0.001
            return p + u * 0.001, u

        return repeated(compiled(step), torch.randn(n, 3, device=device), torch.zeros(n, 3, device=device))

    def asian_option():
        Z = torch.randn(size(1_000_000, 50_000), 64, device=device)

        def price(S, sigma, r):
            d = 1 / 64
            path = torch.exp((Z * (sigma * math.sqrt(d)) + (r - 0.5 * sigma.square()) * d).cumsum(1))
            return torch.exp(-r) * (S * path).mean(1).sub(100).relu().mean()

        f = compiled(price)

        def call():
            given = [torch.tensor(v, device=device, requires_grad=True) for v in (100.0, 0.2, 0.05)]
            return torch.autograd.grad(f(*given), given)

        return call

    def k_means():
        x = torch.randn(size(1_000_000, 50_000), 8, device=device)

        def step(c):
            near = torch.cdist(x, c).argmin(1)
            count = near.bincount(minlength=16).float() + 1e-6
            return (torch.zeros(16, 8, device=device).index_add(0, near, x) / count[:, None],)

        return repeated(step, x[:16].clone())

    def logistic_regression():
        x = torch.randn(size(200_000, 20_000), 32, device=device)
        y = (x[:, 0] > 0).float()
        w = torch.zeros(32, device=device, requires_grad=True)
        b = torch.zeros((), device=device, requires_grad=True)
        adam = torch.optim.Adam([w, b], lr=0.01)

        def loss(w, b):
            z = x @ w + b
            return (F.softplus(z) - z * y).mean()

        f = compiled(loss)

        def call():
            value = f(w, b)
            adam.zero_grad()
            value.backward()
            adam.step()
            return value

        return call

    def mlp_step():
        sizes = [784, 256, 128, 10]
        x = torch.rand(256, 784, device=device)
        y = torch.randint(0, 10, (256,), device=device)
        p = []
        for deep, wide in zip(sizes, sizes[1:]):
            p += [torch.randn(deep, wide, device=device) / math.sqrt(deep), torch.zeros(wide, device=device)]
        p = [one.requires_grad_() for one in p]

        def loss(x):
            for i in range(0, 6, 2):
                x = x @ p[i] + p[i + 1]
                if i < 4:
                    x = torch.relu(x)
            return F.cross_entropy(x, y)

        f = compiled(loss)

        def call():
            gradient = torch.autograd.grad(f(x), p)
            with torch.no_grad():
                torch._foreach_sub_(p, gradient, alpha=0.1)

        return call

    def image():
        n = size(2048, 512)
        picture = torch.rand(n, n, device=device)
        smooth = torch.tensor([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]], device=device).div(16)[None, None]
        edge = torch.tensor([[1.0, 0, -1], [2, 0, -2], [1, 0, -1]], device=device)[None, None]

        def call():
            blurred = F.conv2d(picture[None, None], smooth, padding=1)
            across = F.conv2d(blurred, edge, padding=1)
            down = F.conv2d(blurred, edge.mT.contiguous(), padding=1)
            return (across**2 + down**2).sqrt(), torch.fft.irfft2(torch.fft.rfft2(picture) * 0.5, s=(n, n))

        return call

    def rows():
        X, w = torch.randn(64, 4, device=device), torch.randn(4, 5, device=device)
        body = lambda X, w: torch.stack([((x @ w).softmax(0) * torch.arange(5, device=device)).sum() for x in X])
        f = compiled(body)
        return lambda: f(X, w)

    def recurrence():
        W = (torch.randn(32, 32, device=device) * 0.1).requires_grad_()
        inputs = torch.randn(200, 64, 32, device=device)

        def call():
            h = torch.zeros(64, 32, device=device)
            for x in inputs:
                h = torch.tanh(h @ W + x)
            return torch.autograd.grad(h.square().mean(), W)

        return call

    both = {
        "n-body": n_body,
        "asian-option": asian_option,
        "logistic-regression": logistic_regression,
        "mlp-step": mlp_step,
        "rows": rows,
    }
    if compiles:
        return {"gray-scott-compiled": lambda: gray_scott(torch.compile(step_of_gray_scott)), **both}
    return {
        "add-64k": lambda: adding(1 << 16),
        "add-1M": lambda: adding(1 << 20),
        "add-16M": lambda: adding(1 << 24),
        "gray-scott": lambda: gray_scott(step_of_gray_scott),
        "k-means": k_means,
        "image": image,
        "recurrence": recurrence,
        **both,
    }


def jax_tasks(device):
    """The tasks that tasks.ts compiles, as functions of jax.jit."""
    import jax
    import jax.numpy as jnp

    size = lambda large, small: large if device == "cuda" else small
    keys = iter(jax.random.split(jax.random.key(1), 16))
    normal = lambda *shape: jax.random.normal(next(keys), shape)

    def laplacian(a):
        return jnp.roll(a, 1, 0) + jnp.roll(a, -1, 0) + jnp.roll(a, 1, 1) + jnp.roll(a, -1, 1) - a * 4

    def gray_scott():
        @jax.jit
        def step(u, v):
            w = u * v * v
            return u + laplacian(u) * 0.16 - w + (1 - u) * 0.035, v + laplacian(v) * 0.08 + w - v * 0.1

        n = size(1024, 256)
        return repeated(step, jnp.ones((n, n)), jax.random.uniform(next(keys), (n, n)) * 0.1)

    def n_body():
        n = size(4000, 1000)
        mass = jnp.ones(n) / n

        @jax.jit
        def step(p, v):
            d = p[None] - p[:, None]
            w = (jnp.square(d).sum(-1) + 0.01) ** -1.5 * mass
            u = v + (d * w[..., None]).sum(1) * 0.001
            return p + u * 0.001, u

        return repeated(step, normal(n, 3), jnp.zeros((n, 3)))

    def asian_option():
        Z = normal(size(1_000_000, 50_000), 64)

        def price(S, sigma, r, Z):
            d = 1 / 64
            path = jnp.exp(jnp.cumsum(Z * (sigma * math.sqrt(d)) + (r - 0.5 * sigma * sigma) * d, 1))
            return jnp.exp(-r) * jax.nn.relu((S * path).mean(1) - 100).mean()

        f = jax.jit(jax.value_and_grad(price, argnums=(0, 1, 2)))
        return lambda: f(jnp.float32(100), jnp.float32(0.2), jnp.float32(0.05), Z)

    def logistic_regression():
        x = normal(size(200_000, 20_000), 32)
        y = (x[:, 0] > 0).astype(jnp.float32)

        def loss(p):
            z = x @ p["w"] + p["b"]
            return (jax.nn.softplus(z) - z * y).mean()

        @jax.jit
        def step(p, m, v, t):
            g = jax.grad(loss)(p)
            t = t + 1
            m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
            v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
            scale = lambda p, m, v: p - 0.01 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
            return jax.tree.map(scale, p, m, v), m, v, t

        zero = {"w": jnp.zeros(32), "b": jnp.zeros(())}
        return repeated(step, zero, zero, zero, jnp.float32(0))

    def mlp_step():
        sizes = [784, 256, 128, 10]
        x = jax.random.uniform(next(keys), (256, 784))
        y = jax.random.randint(next(keys), (256,), 0, 10)
        p = [one for a, b in zip(sizes, sizes[1:]) for one in (normal(a, b) / math.sqrt(a), jnp.zeros(b))]

        def loss(p):
            h = x
            for i in range(0, 6, 2):
                h = h @ p[i] + p[i + 1]
                if i < 4:
                    h = jax.nn.relu(h)
            return -jnp.take_along_axis(jax.nn.log_softmax(h), y[:, None], 1).mean()

        step = jax.jit(lambda *p: [q - 0.1 * g for q, g in zip(p, jax.grad(loss)(list(p)))])
        return repeated(step, *p)

    def rows():
        X, w = normal(64, 4), normal(4, 5)
        f = jax.jit(lambda X, w: jnp.stack([(jax.nn.softmax(x @ w) * jnp.arange(5)).sum() for x in X]))
        return lambda: f(X, w)

    def recurrence():
        W, inputs = normal(32, 32) * 0.1, normal(200, 64, 32)

        def loss(W):
            h, _ = jax.lax.scan(lambda h, x: (jnp.tanh(h @ W + x), None), jnp.zeros((64, 32)), inputs)
            return jnp.square(h).mean()

        f = jax.jit(jax.grad(loss))
        return lambda: f(W)

    return {
        "gray-scott-compiled": gray_scott,
        "n-body": n_body,
        "asian-option": asian_option,
        "logistic-regression": logistic_regression,
        "mlp-step": mlp_step,
        "rows": rows,
        "recurrence": recurrence,
    }


def figures(name, device, task, of_torch, of_jax):
    """The figures of a task by their names; None if the library lacks it."""
    if name == "jax":
        import jax

        make, sync = of_jax(device).get(task), jax.block_until_ready
    elif name in ("torch", "torch.compile"):
        import torch

        make = of_torch(device, name == "torch.compile").get(task)
        sync = lambda _: torch.cuda.synchronize() if device == "cuda" else None
    else:
        return None
    return make and measured(make(), sync)


def peak_mebibytes(name, device):
    """Of a GPU what tensors had, else the whole process."""
    if device != "cuda":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    if name == "jax":
        import jax

        return jax.devices()[0].memory_stats()["peak_bytes_in_use"] / 2**20
    import torch

    return torch.cuda.max_memory_allocated() / 2**20
