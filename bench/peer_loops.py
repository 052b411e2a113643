"""The loops of loops.ts as users of the peers write them, over the same numbers."""

import math

from peer_tasks import measured

WIDTHS = [784, 256, 128, 10]


def noise(*shape):
    import numpy

    return (numpy.arange(math.prod(shape)) * 7919 % 1013 / 1013 - 0.5).astype("f4").reshape(shape)


def start_of_lorenz(n):
    return [noise(3, n)[k].copy() + 1 for k in range(3)]


def torch_loops(device):
    import torch
    import torch.nn.functional as F
    from torch.func import grad, hessian, vmap

    gpu = device == "cuda"
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    size = lambda large, small: large if gpu else small
    put = lambda x: torch.from_numpy(x).to(device)

    def asian_option():
        start = torch.full((size(1_000_000, 20_000),), 100.0, device=device)

        def call():
            price, total = start, torch.zeros_like(start)
            for _ in range(252):
                price = price * torch.exp(0.03 / 252 + 0.2 / math.sqrt(252) * torch.randn_like(price))
                total = total + price
            return (total / 252 - 100).relu().mean() * math.exp(-0.05)

        return call

    def lorenz():
        start, steps = [put(x) for x in start_of_lorenz(size(4096, 512))], size(10_000, 2000)

        def call():
            x, y, z = start
            for _ in range(steps):
                x, y, z = x + (y - x) * 0.01, y + (x * (28 - z) - y) * 0.001, z + (x * y - z * (8 / 3)) * 0.001
            return z

        return call

    def metropolis():
        steps = size(10_000, 1000)

        def call():
            x = torch.zeros(1000, device=device)
            total = torch.zeros(1000, device=device)
            for _ in range(steps):
                proposed = x + torch.randn(1000, device=device)
                taken = torch.rand(1000, device=device).log() < (x.square() - proposed.square()) * 0.5
                x = torch.where(taken, proposed, x)
                total = total + x.square()
            return total.mean() / steps

        return call

    def power_iteration():
        n = size(1024, 256)
        half = noise(n, n)
        matrix = put(half + half.T + half.dtype.type(0.1))
        start = torch.ones(n, device=device) / math.sqrt(n)

        def call():
            v, now, before = start, torch.tensor(1.0, device=device), torch.tensor(0.0, device=device)
            for _ in range(1000):
                if not ((now - before).abs() > now.abs() * 1e-6).item():
                    break
                product = matrix @ v
                length = product.square().sum().sqrt()
                v, now, before = product / length, length, now
            return now

        return call

    def counting():
        start = torch.tensor(0.0, device=device)

        def call():
            x, steps = start, 0
            while steps < 20_000 and (x < 10_000).item():
                x, steps = x + 1, steps + 1
            return x

        return call

    def hessian_of_rosenbrock():
        x = put(noise(200) + 1)
        f = hessian(lambda x: (100 * (x[1:] - x[:-1].square()).square() + (1 - x[:-1]).square()).sum())
        return lambda: f(x)

    def sample_gradients():
        count = size(256, 32)
        x, y = put(noise(count, 784) + 0.5), torch.arange(count, device=device) % 10
        p = []
        for deep, wide in zip(WIDTHS, WIDTHS[1:]):
            p += [put(noise(deep, wide)) * (2 / math.sqrt(deep)), torch.zeros(wide, device=device)]

        def loss(p, x, y):
            for i in range(0, 6, 2):
                x = x @ p[i] + p[i + 1]
                if i < 4:
                    x = torch.relu(x)
            return F.cross_entropy(x[None], y[None])

        f = vmap(grad(loss), in_dims=(None, 0, 0))
        return lambda: f(p, x, y)[0]

    def recurrence():
        W, inputs = (put(noise(32, 32)) * 0.3).requires_grad_(), put(noise(200, 64, 32))

        def call():
            h = torch.zeros(64, 32, device=device)
            for x in inputs:
                h = torch.tanh(h @ W + x)
            return torch.autograd.grad(h.square().mean(), W)[0]

        return call

    return {
        "asian-option": asian_option,
        "lorenz": lorenz,
        "metropolis": metropolis,
        "power-iteration": power_iteration,
        "while-10000": counting,
        "hessian": hessian_of_rosenbrock,
        "sample-gradients": sample_gradients,
        "recurrence": recurrence,
    }


def jax_loops(device):
    import jax
    import jax.numpy as jnp
    from jax import lax, random

    jax.config.update("jax_default_matmul_precision", "highest")
    size = lambda large, small: large if device == "cuda" else small

    def drawn(f):
        """A call with a key of its own each time."""
        keys, compiled = iter(random.split(random.key(1), 4096)), jax.jit(f)
        return lambda: compiled(next(keys))

    def asian_option():
        start = jnp.full(size(1_000_000, 20_000), 100.0, "float32")

        def price(key):
            def step(carry, key):
                price, total = carry
                price = price * jnp.exp(0.03 / 252 + 0.2 / math.sqrt(252) * random.normal(key, start.shape, "float32"))
                return (price, total + price), None

            (_, total), _ = lax.scan(step, (start, jnp.zeros_like(start)), random.split(key, 252))
            return jax.nn.relu(total / 252 - 100).mean() * math.exp(-0.05)

        return drawn(price)

    def lorenz():
        start, steps = tuple(jnp.asarray(x) for x in start_of_lorenz(size(4096, 512))), size(10_000, 2000)

        def step(carry, _):
            x, y, z = carry
            return (x + (y - x) * 0.01, y + (x * (28 - z) - y) * 0.001, z + (x * y - z * (8 / 3)) * 0.001), None

        f = jax.jit(lambda start: lax.scan(step, start, None, length=steps)[0][2])
        return lambda: f(start)

    def metropolis():
        steps = size(10_000, 1000)

        def mean(key):
            def step(carry, key):
                x, total = carry
                near, level = random.split(key)
                proposed = x + random.normal(near, x.shape, "float32")
                taken = jnp.log(random.uniform(level, x.shape, "float32")) < (x * x - proposed * proposed) * 0.5
                x = jnp.where(taken, proposed, x)
                return (x, total + x * x), None

            zero = jnp.zeros(1000, "float32")
            (_, total), _ = lax.scan(step, (zero, zero), random.split(key, steps))
            return total.mean() / steps

        return drawn(mean)

    def power_iteration():
        n = size(1024, 256)
        half = noise(n, n)
        matrix = jnp.asarray(half + half.T + half.dtype.type(0.1))

        def goes_on(carry):
            _, now, before, steps = carry
            return (jnp.abs(now - before) > jnp.abs(now) * 1e-6) & (steps < 1000)

        def step(carry):
            v, now, _, steps = carry
            product = matrix @ v
            length = jnp.sqrt(jnp.square(product).sum())
            return product / length, length, now, steps + 1

        f = jax.jit(lambda v: lax.while_loop(goes_on, step, (v, jnp.float32(1), jnp.float32(0), 0))[1])
        start = jnp.ones(n, "float32") / math.sqrt(n)
        return lambda: f(start)

    def counting():
        goes_on = lambda carry: (carry[0] < 10_000) & (carry[1] < 20_000)
        f = jax.jit(lambda x: lax.while_loop(goes_on, lambda c: (c[0] + 1, c[1] + 1), (x, 0))[0])
        start = jnp.float32(0)
        return lambda: f(start)

    def hessian():
        x = jnp.asarray(noise(200) + 1)
        f = jax.jit(jax.hessian(lambda x: (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()))
        return lambda: f(x)

    def sample_gradients():
        count = size(256, 32)
        x, y = jnp.asarray(noise(count, 784) + 0.5), jnp.arange(count) % 10
        p = []
        for deep, wide in zip(WIDTHS, WIDTHS[1:]):
            p += [jnp.asarray(noise(deep, wide)) * (2 / math.sqrt(deep)), jnp.zeros(wide, "float32")]

        def loss(p, x, y):
            for i in range(0, 6, 2):
                x = x @ p[i] + p[i + 1]
                if i < 4:
                    x = jax.nn.relu(x)
            return -jax.nn.log_softmax(x)[y]

        f = jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0, 0)))
        return lambda: f(p, x, y)[0]

    def recurrence():
        W, inputs = jnp.asarray(noise(32, 32)) * 0.3, jnp.asarray(noise(200, 64, 32))

        def loss(W):
            h, _ = lax.scan(lambda h, x: (jnp.tanh(h @ W + x), None), jnp.zeros((64, 32), "float32"), inputs)
            return jnp.square(h).mean()

        f = jax.jit(jax.grad(loss))
        return lambda: f(W)

    return {
        "asian-option": asian_option,
        "lorenz": lorenz,
        "metropolis": metropolis,
        "power-iteration": power_iteration,
        "while-10000": counting,
        "hessian": hessian,
        "sample-gradients": sample_gradients,
        "recurrence": recurrence,
    }


def figures(name, device, loop):
    """The figures of a loop by their names: two times, and the root of the mean square of its result; None for another form of ours."""
    if name == "jax":
        import jax

        make, sync = jax_loops(device).get(loop), jax.block_until_ready
    else:
        import torch

        make = torch_loops(device).get(loop)
        sync = lambda _: torch.cuda.synchronize() if device == "cuda" else None
    if make is None:
        return None
    call = make()
    times = measured(call, sync, early=3)
    import numpy

    result = call()
    found = numpy.asarray(result if name == "jax" else result.detach().cpu().numpy(), "f8")
    return {**times, "result": math.sqrt(numpy.square(found).mean())}
