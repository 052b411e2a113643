"""The computations of programs.ts as the peers write them: one function over arrays, which the peer compiles or runs as it is."""

import math


def bodies(xp):
    """Functions by name; `xp` gives what torch and jax.numpy call differently."""

    def softmax(x):
        e = xp.exp(x - xp.max(x))
        return e / xp.sum(e)

    def layernorm(x, gain, bias):
        d = x - xp.mean(x)
        return d * xp.rsqrt(xp.mean(d * d) + 1e-5) * gain + bias

    def variance(x):
        d = x - x.mean()
        return (d * d).mean()

    def squared_error(x, y):
        d = x - y
        return (d * d).mean()

    def adam(p, g, m, v):
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        return p - 1e-3 * m / (xp.sqrt(v) + 1e-8), m, v

    def black_scholes(s, k):
        rate, spread = 0.02, 0.3
        d1 = (xp.log(s / k) + (rate + spread * spread / 2)) / spread
        d2 = d1 - spread
        below = lambda d: 0.5 * (1 + xp.erf(d * 0.7071067811865476))
        discount = math.exp(-rate)
        return s * below(d1) - k * discount * below(d2), k * discount * below(-d2) - s * below(-d1)

    def mandelbrot(cr, ci):
        zr, zi, inside = cr * 0, ci * 0, cr * 0
        for _ in range(30):
            zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
            inside = inside + (zr * zr + zi * zi < 4)
        return inside

    def half_casts(a):
        doubled = xp.single(xp.half(a) * 2)
        raised = xp.single(xp.half(a) + 1)
        return xp.single(xp.half(doubled * raised))

    def ten(x):
        for _ in range(10):
            x = x * 1.01 + 0.5
        return x

    return {
        "chain": lambda x: xp.sin(xp.sin(x)) * 2 + x,
        "cse": lambda x: xp.sin(x) + xp.sin(x) * xp.cos(x) + xp.sin(x),
        "bias-gelu": lambda x, row: xp.gelu(x + row) * 1.5,
        "softmax-1024": softmax,
        "softmax-square": softmax,
        "softmax-long": softmax,
        "layernorm": layernorm,
        "rmsnorm": lambda x, gain: x * xp.rsqrt(xp.mean(x * x) + 1e-6) * gain,
        "variance": variance,
        "mse": squared_error,
        "adam": adam,
        "black-scholes": black_scholes,
        "mandelbrot": mandelbrot,
        "half-casts": half_casts,
        "picked-elements": lambda table, places: table[places] * 2 + 1,
        "picked-rows": lambda x, places, gain, bias: layernorm(x[places], gain, bias),
        "add-one": lambda x: x + 1,
        "ten": ten,
        "adam-100": lambda *lists: [adam(*one) for one in zip(*lists)],
    }


def arguments(random, zeros, places, n):
    """The arguments of each function, of `n` elements in all; `places(count, below)` makes indexes."""
    x, y = random(n), random(n)
    edge = 1 << (n.bit_length() - 1) // 2
    rows, square, long = x.reshape(-1, 1024), x.reshape(edge, -1), x.reshape(128, -1)
    gain, bias, one = random(1024), random(1024), random(1)
    small = [[random(1000) for _ in range(100)] for _ in range(4)]
    return {
        "chain": (x,),
        "cse": (x,),
        "bias-gelu": (square, random(square.shape[1])),
        "softmax-1024": (rows,),
        "softmax-square": (square,),
        "softmax-long": (long,),
        "layernorm": (rows, gain, bias),
        "rmsnorm": (rows, gain),
        "variance": (x,),
        "mse": (x, y),
        "adam": (x, y, zeros(n), zeros(n)),
        "black-scholes": (x + 0.5, y + 0.5),
        "mandelbrot": (x, y),
        "half-casts": (x,),
        "picked-elements": (random(1 << 16), places(n, 1 << 16)),
        "picked-rows": (rows, places(n // 1024, n // 1024), gain, bias),
        "add-one": (one,),
        "ten": (one,),
        "adam-100": tuple(small),
    }


class TorchWords:
    def __init__(self, torch):
        self.exp, self.log, self.sin, self.cos = torch.exp, torch.log, torch.sin, torch.cos
        self.sqrt, self.rsqrt, self.erf = torch.sqrt, torch.rsqrt, torch.erf
        self.max = lambda x: x.amax(-1, keepdim=True)
        self.sum = lambda x: x.sum(-1, keepdim=True)
        self.mean = lambda x: x.mean(-1, keepdim=True)
        self.gelu = lambda x: torch.nn.functional.gelu(x, approximate="tanh")
        self.half, self.single = lambda x: x.half(), lambda x: x.float()


class JaxWords:
    def __init__(self, jax):
        jnp = jax.numpy
        self.exp, self.log, self.sin, self.cos, self.sqrt = jnp.exp, jnp.log, jnp.sin, jnp.cos, jnp.sqrt
        self.rsqrt, self.erf = jax.lax.rsqrt, jax.scipy.special.erf
        self.max = lambda x: x.max(-1, keepdims=True)
        self.sum = lambda x: x.sum(-1, keepdims=True)
        self.mean = lambda x: x.mean(-1, keepdims=True)
        self.gelu = lambda x: jax.nn.gelu(x, approximate=True)
        self.half, self.single = lambda x: x.astype("float16"), lambda x: x.astype("float32")


def programs(peer, name, n):
    """(name, a call without arguments) of each computation, as the peer of this name runs it."""
    if name == "jax":
        jax = peer.jax
        keys = iter(range(10000))
        random = lambda count: jax.random.uniform(jax.random.key(next(keys)), (count,), "float32")
        zeros = lambda count: jax.numpy.zeros(count, "float32")
        places = lambda count, below: jax.random.randint(jax.random.key(next(keys)), (count,), 0, below)
        functions, given = bodies(JaxWords(jax)), arguments(random, zeros, places, n)
        for key, function in functions.items():
            yield key, peer.keep(function, *given[key])
        return
    torch = peer.torch
    random = lambda count: torch.rand(count, device=peer.device)
    zeros = lambda count: torch.zeros(count, device=peer.device)
    places = lambda count, below: torch.randint(0, below, (count,), device=peer.device)
    functions, given = bodies(TorchWords(torch)), arguments(random, zeros, places, n)
    for key, function in functions.items():
        call = function
        if name == "torch.compile":
            torch._dynamo.reset()
            call = torch.compile(function)
        yield key, lambda call=call, args=given[key]: call(*args)
