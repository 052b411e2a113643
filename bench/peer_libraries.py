"""The peers of peers.py: one class per library, with the calls that are measured and the library's own clock."""

import importlib
import time

SCIPY_NAMES = {"digamma": "digamma", "lgamma": "gammaln", "i0": "i0", "ndtri": "ndtri", "erfcx": "erfcx"}
SCIPY_NAMES |= {"erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "ndtr": "ndtr"}
NUMPY_NAMES = {"sin": "sin", "exp": "exp", "log": "log", "tanh": "tanh", "tan": "tan", "asin": "arcsin", "atan": "arctan"}
UNARY = [*SCIPY_NAMES, *NUMPY_NAMES]
FIRST_COUNT = 1 << 16


class NumpyLike:
    """numpy and CuPy: one interface, but for the clock and the custom functor."""

    copy = "copy-kernel"

    def __init__(self, xp, special):
        self.xp = xp
        self.special = special

    def sync(self):
        pass

    def milliseconds(self, launch, launches):
        return wall_milliseconds(self, launch, launches)

    def functor(self):
        return None

    def functions(self, one):
        xp, special = self.xp, self.special
        x, y, out = xp.ones(one, "f4"), xp.ones(one, "f4"), xp.ones(one, "f4")
        calls = {
            "add": lambda: x + y,
            "add-out": lambda: xp.add(x, y, out=out),
            "add-scalar": lambda: x + 1,
            "digamma": lambda: special().digamma(x),
        }
        functor = self.functor()
        if functor:
            calls["jit"] = lambda: functor(x, y, 1.0)
        return calls

    def launches(self, n):
        xp, special = self.xp, self.special
        edge = int(n**0.5)
        p, q, out = self.random(n), self.random(n), xp.empty(n, "f4")
        a, b, matrix = p.reshape(edge, edge), q.reshape(edge, edge), out.reshape(edge, edge)
        row, column = q[:edge], q[:edge].reshape(edge, 1)
        half = edge // 2
        block = out[: n // 2].reshape(edge, half)
        ph, qh, outh = p.astype("f2"), q.astype("f2"), xp.empty(n, "f2")
        outb = xp.empty(n, "?")
        g, h, outi = self.integers(n), self.integers(n), xp.empty(n, "i4")
        p1, larger = p + 1, p < q
        calls = {
            self.copy: lambda: xp.copyto(out, p),
            "add": lambda: xp.add(p, q, out=out),
            "mul": lambda: xp.multiply(p, q, out=out),
            "neg": lambda: xp.negative(p, out=out),
            "sqrt": lambda: xp.sqrt(p, out=out),
            "where": lambda: xp.where(larger, p, q),
            "row": lambda: xp.add(a, row, out=matrix),
            "column": lambda: xp.add(a, column, out=matrix),
            "scalar": lambda: xp.add(p, xp.float32(1.5), out=out),
            "mixed": lambda: xp.add(ph, q, out=out),
            "half": lambda: xp.add(ph, qh, out=outh),
            "compare": lambda: xp.less(p, q, out=outb),
            "block": lambda: xp.add(a[:, :half], b[:, half:], out=block),
            "stride2": lambda: xp.add(p[::2], q[::2], out=out[: n // 2]),
            "transposed": lambda: xp.add(a, b.T, out=matrix),
            "chain": lambda: xp.sin(xp.sin(p)) * 2 + p,
            "gcd": lambda: xp.gcd(g, h, out=outi),
            "zeta": lambda: special().zeta(p1, q, out),
            "atan2": lambda: xp.arctan2(p, q, out=out),
            "hypot": lambda: xp.hypot(p, q, out=out),
        }
        for name in UNARY:
            calls[name] = self.unary(name, p, out)
        functor = self.functor()
        if functor:
            calls["jit"] = lambda: functor(p, q, 1.0, out)
            calls["jit-column"] = lambda: functor(a, column, 1.0, matrix)
        return calls

    def reductions(self, n):
        x = self.random(n)
        rows = x.reshape(-1, 4096)
        return {"sum": lambda: x.sum(), "sum-rows": lambda: rows.sum(axis=1)}

    def custom_calls(self):
        one = self.xp.ones(1, "f4")
        return {"host-sum": lambda: one.sum()}

    def unary(self, name, x, out):
        if name in SCIPY_NAMES:
            return lambda: getattr(self.special(), SCIPY_NAMES[name])(x, out)
        return lambda: getattr(self.xp, NUMPY_NAMES[name])(x, out=out)


class Numpy(NumpyLike):
    def __init__(self, _device):
        import numpy

        super().__init__(numpy, lambda: importlib.import_module("scipy.special"))
        self.generator = numpy.random.default_rng(0)

    def random(self, n):
        return self.generator.random(n, "f4")

    def integers(self, n):
        return self.generator.integers(1, 1 << 30, n, "i4")


class Cupy(NumpyLike):
    copy = "copy"  # contiguous copies are the driver's

    def __init__(self, _device):
        import cupy

        super().__init__(cupy, lambda: importlib.import_module("cupyx.scipy.special"))
        self.multiplier = 2_654_435_761

    def bits(self, n):
        """Well mixed 32-bit numbers without cuRAND, which may be missing; other ones at each call."""
        self.multiplier = (self.multiplier * 5 + 2) % 2**32
        counter = self.xp.arange(1, n + 1, dtype="u4")
        counter *= self.xp.uint32(self.multiplier)
        counter ^= counter >> 15
        counter *= self.xp.uint32(2_246_822_519)
        return counter

    def random(self, n):
        return (self.bits(n) >> 8).astype("f4") / self.xp.float32(2**24)

    def integers(self, n):
        return (self.bits(n) >> 2).astype("i4") + self.xp.int32(1)

    def sync(self):
        self.xp.cuda.Device().synchronize()

    def milliseconds(self, launch, launches):
        start, end = self.xp.cuda.Event(), self.xp.cuda.Event()
        if launches > 1:
            launch()
        start.record()
        for _ in range(launches):
            launch()
        end.record()
        end.synchronize()
        return self.xp.cuda.get_elapsed_time(start, end) / launches

    def functor(self):
        inputs = "float32 x, float32 y, float32 alpha"
        return self.xp.ElementwiseKernel(inputs, "float32 z", "z = -x + alpha * y", "axpy")

    def reductions(self, n):
        x = self.random(n)
        rows = x.reshape(-1, 4096)
        add = self.adding()
        norm = self.xp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
        own = {"reduction": lambda: add(x), "norm": lambda: norm(x), "reduction-rows": lambda: add(rows, axis=1)}
        return super().reductions(n) | own

    def custom_calls(self):
        xp, add = self.xp, self.adding()
        x, y, out = xp.ones(1, "f4"), xp.ones(1, "f4"), xp.ones(1, "f4")
        text = """extern "C" __global__ void add(float* out, const float* a, const float* b, int n) {
          if (threadIdx.x < n) *out = *a + *b;
        }"""
        raw, n = xp.RawKernel(text, "add"), xp.int32(1)
        own = {"host-reduction": lambda: add(x), "raw-kernel": lambda: raw((1,), (128,), (out, x, y, n))}
        return super().custom_calls() | own

    def adding(self):
        return self.xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")

    def first(self, name):
        xp = self.xp
        x = xp.asarray(host_floats())
        m = xp.asarray(host_integers())
        n = xp.asarray(host_integers()[::-1].copy())
        functor = self.functor() if name == "functor" else None
        if name in ("digamma", "zeta"):
            self.special()
        return {
            "gcd": lambda: xp.gcd(m, n),
            "digamma": lambda: self.special().digamma(x),
            "zeta": lambda: self.special().zeta(x, x),
            "functor": lambda: functor(x, x, xp.float32(1)),
        }[name]

    def pooled(self):
        return self.xp.get_default_memory_pool().total_bytes()


class Torch:
    def __init__(self, device):
        import torch

        self.torch = torch
        self.device = device
        torch.zeros(1, device=device)
        self.sync()

    def sync(self):
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def milliseconds(self, launch, launches):
        if self.device != "cuda":
            return wall_milliseconds(self, launch, launches)
        event = self.torch.cuda.Event
        start, end = event(enable_timing=True), event(enable_timing=True)
        if launches > 1:
            launch()
        start.record()
        for _ in range(launches):
            launch()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / launches

    def functor(self):
        if self.device != "cuda":
            return None
        text = "template <typename T> T axpy(T x, T y, T alpha) { return -x + alpha * y; }"
        return self.torch.cuda.jiterator._create_jit_fn(text, alpha=1.0)

    def functions(self, one):
        torch = self.torch
        x, y, out = (torch.ones(one, device=self.device) for _ in range(3))
        calls = {
            "add": lambda: x + y,
            "add-out": lambda: torch.add(x, y, out=out),
            "add-scalar": lambda: x + 1,
            "digamma": lambda: torch.digamma(x),
        }
        functor = self.functor()
        if functor:
            calls["jit"] = lambda: functor(x, y)
        return calls

    def launches(self, n):
        torch, device = self.torch, self.device
        special = torch.special
        edge = int(n**0.5)
        p, q, out = torch.rand(n, device=device), torch.rand(n, device=device), torch.empty(n, device=device)
        a, b, matrix = p.view(edge, edge), q.view(edge, edge), out.view(edge, edge)
        row, column = q[:edge], q[:edge].view(edge, 1)
        half = edge // 2
        block = out[: n // 2].view(edge, half)
        ph, qh = p.half(), q.half()
        outh, outb = torch.empty_like(ph), torch.empty_like(p, dtype=torch.bool)
        g, h = (torch.randint(1, 1 << 30, (n,), device=device, dtype=torch.int32) for _ in range(2))
        outi = torch.empty_like(g)
        p1, larger = p + 1, p < q
        calls = {
            "copy": lambda: out.copy_(p),
            "add": lambda: torch.add(p, q, out=out),
            "mul": lambda: torch.mul(p, q, out=out),
            "neg": lambda: torch.neg(p, out=out),
            "sqrt": lambda: torch.sqrt(p, out=out),
            "where": lambda: torch.where(larger, p, q, out=out),
            "row": lambda: torch.add(a, row, out=matrix),
            "column": lambda: torch.add(a, column, out=matrix),
            "scalar": lambda: torch.add(p, 1.5, out=out),
            "mixed": lambda: torch.add(ph, q, out=out),
            "half": lambda: torch.add(ph, qh, out=outh),
            "compare": lambda: torch.lt(p, q, out=outb),
            "block": lambda: torch.add(a[:, :half], b[:, half:], out=block),
            "stride2": lambda: torch.add(p[::2], q[::2], out=out[: n // 2]),
            "transposed": lambda: torch.add(a, b.t(), out=matrix),
            "chain": lambda: torch.sin(torch.sin(p)) * 2 + p,
            "gcd": lambda: torch.gcd(g, h, out=outi),
            "zeta": lambda: special.zeta(p1, q, out=out),
            "atan2": lambda: torch.atan2(p, q, out=out),
            "hypot": lambda: torch.hypot(p, q, out=out),
            "gelu": lambda: torch.nn.functional.gelu(p),
        }
        for name in UNARY:
            function = getattr(special if name in ("i0", "ndtr", "ndtri", "erfcx") else torch, name)
            calls[name] = lambda function=function: function(p, out=out)
        functor = self.functor()
        if functor:
            calls["jit"] = lambda: functor(p, q)
            calls["jit-column"] = lambda: functor(a, column)
        return calls

    def reductions(self, n):
        x = self.torch.rand(n, device=self.device)
        rows = x.view(-1, 4096)
        return {"sum": lambda: x.sum(), "sum-rows": lambda: rows.sum(1)}

    def custom_calls(self):
        one = self.torch.ones(1, device=self.device)
        return {"host-sum": lambda: one.sum()}

    def first(self, name):
        torch = self.torch
        x = torch.from_numpy(host_floats()).to(self.device)
        m = torch.from_numpy(host_integers()).to(self.device)
        n = torch.from_numpy(host_integers()[::-1].copy()).to(self.device)
        functor = self.functor() if name == "functor" else None
        return {
            "gcd": lambda: torch.gcd(m, n),
            "digamma": lambda: torch.digamma(x),
            "zeta": lambda: torch.special.zeta(x, x),
            "functor": lambda: functor(x, x),
        }[name]

    def pooled(self):
        return self.torch.cuda.memory_reserved()


class TorchCompile(Torch):
    def functions(self, one):
        x = self.torch.ones(one, device=self.device)
        call = self.torch.compile(lambda x: x + 1)
        return {"add-scalar": lambda: call(x)}

    def launches(self, n):
        torch = self.torch
        p = torch.rand(n, device=self.device)
        call = torch.compile(lambda x: torch.sin(torch.sin(x)) * 2 + x)
        return {"chain": lambda: call(p)}


class Jax:
    def __init__(self, _device):
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        self.jax = jax
        self.last = jax.numpy.zeros(1)
        self.sync()

    def sync(self):
        self.jax.block_until_ready(self.last)

    def milliseconds(self, launch, launches):
        return wall_milliseconds(self, launch, launches)

    def keep(self, function, *args):
        call = self.jax.jit(function)

        def run():
            self.last = call(*args)
            return self.last

        return run

    def functions(self, one):
        jnp = self.jax.numpy
        x, y = jnp.ones(one, "float32"), jnp.ones(one, "float32")
        return {
            "add": self.keep(lambda x, y: x + y, x, y),
            "add-scalar": self.keep(lambda x: x + 1, x),
            "jit": self.keep(lambda x, y: -x + 1.0 * y, x, y),
            "digamma": self.keep(self.jax.scipy.special.digamma, x),
        }

    def launches(self, n):
        jnp, random, special = self.jax.numpy, self.jax.random, self.jax.scipy.special
        edge = int(n**0.5)
        p, q = random.uniform(random.key(0), (n,), "float32"), random.uniform(random.key(1), (n,), "float32")
        a, b = p.reshape(edge, edge), q.reshape(edge, edge)
        row, column = q[:edge], q[:edge].reshape(edge, 1)
        half = edge // 2
        ph, qh = p.astype("float16"), q.astype("float16")
        g, h = (random.randint(random.key(k), (n,), 1, 1 << 30, "int32") for k in (2, 3))
        p1, larger = p + 1, p < q
        calls = {
            "add": self.keep(lambda p, q: p + q, p, q),
            "mul": self.keep(lambda p, q: p * q, p, q),
            "neg": self.keep(lambda p: -p, p),
            "sqrt": self.keep(jnp.sqrt, p),
            "where": self.keep(jnp.where, larger, p, q),
            "jit": self.keep(lambda p, q: -p + q, p, q),
            "row": self.keep(lambda a, r: a + r, a, row),
            "column": self.keep(lambda a, c: a + c, a, column),
            "jit-column": self.keep(lambda a, c: -a + c, a, column),
            "scalar": self.keep(lambda p: p + 1.5, p),
            "mixed": self.keep(lambda p, q: p + q, ph, q),
            "half": self.keep(lambda p, q: p + q, ph, qh),
            "compare": self.keep(lambda p, q: p < q, p, q),
            "block": self.keep(lambda a, b: a[:, :half] + b[:, half:], a, b),
            "stride2": self.keep(lambda p, q: p[::2] + q[::2], p, q),
            "transposed": self.keep(lambda a, b: a + b.T, a, b),
            "chain": self.keep(lambda x: jnp.sin(jnp.sin(x)) * 2 + x, p),
            "gcd": self.keep(jnp.gcd, g, h),
            "zeta": self.keep(special.zeta, p1, q),
            "atan2": self.keep(jnp.arctan2, p, q),
            "hypot": self.keep(jnp.hypot, p, q),
            "gelu": self.keep(lambda p: self.jax.nn.gelu(p, approximate=False), p),
        }
        for name in UNARY:
            function = getattr(special, SCIPY_NAMES.get(name, ""), None) or getattr(jnp, NUMPY_NAMES.get(name, ""), None)
            if function:
                calls[name] = self.keep(function, p)
        return calls

    def first(self, name):
        jnp = self.jax.numpy
        x = jnp.asarray(host_floats())
        m = jnp.asarray(host_integers())
        n = jnp.asarray(host_integers()[::-1].copy())
        self.last = n
        self.sync()
        return {
            "gcd": self.keep(jnp.gcd, m, n),
            "digamma": self.keep(self.jax.scipy.special.digamma, x),
        }[name]


def host_floats():
    import numpy

    return (1.5 + numpy.arange(FIRST_COUNT) / FIRST_COUNT).astype("f4")


def host_integers():
    import numpy

    return numpy.arange(1, FIRST_COUNT + 1, dtype="i8") * 12_345_678


def wall_milliseconds(peer, launch, launches):
    peer.sync()
    began = time.perf_counter()
    for _ in range(launches):
        launch()
    peer.sync()
    return (time.perf_counter() - began) / launches * 1e3


def torch_function(peer, name, dtype, low, high, arity, log2):
    """A launch of a function of PyTorch by its name, on random numbers; None if there is none or it refuses the dtype."""
    torch = peer.torch
    places = (torch, torch.special, torch._C._nn, torch.nn.functional)
    function = next((getattr(place, name) for place in places if hasattr(place, name)), None)
    if function is None:
        return None
    dtype = getattr(torch, dtype)
    count = (1 << log2) * 4 // max(4, dtype.itemsize)
    try:
        inputs = [torch.empty(count, device=peer.device, dtype=dtype).uniform_(low, high) for _ in range(arity)]
        out = function(*inputs)
    except Exception:
        return None
    try:
        function(*inputs, out=out)
    except (TypeError, RuntimeError):
        return lambda: function(*inputs)
    return lambda: function(*inputs, out=out)


CLASSES = {"numpy": Numpy, "cupy": Cupy, "torch": Torch, "torch.compile": TorchCompile, "jax": Jax}
