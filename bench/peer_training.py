"""The steps of training.ts as users of the peers write them. The rows whose name ends in -donated are the peers' best modes."""

import math


def torch_steps(device, compiles):
    """Makers of calls by name."""
    import torch
    import torch.nn.functional as F

    gpu = device == "cuda"
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    size = lambda large, small: large if gpu else small

    class Block(torch.nn.Module):
        def __init__(self, a, b):
            super().__init__()
            stride = 1 if a == b else 2
            self.conv1 = torch.nn.Conv2d(a, b, 3, stride, 1, bias=False)
            self.conv2 = torch.nn.Conv2d(b, b, 3, 1, 1, bias=False)
            self.norm1, self.norm2 = torch.nn.BatchNorm2d(b), torch.nn.BatchNorm2d(b)
            self.shortcut = torch.nn.Identity() if a == b else torch.nn.Conv2d(a, b, 1, 2, bias=False)

        def forward(self, x):
            inner = F.relu(self.norm1(self.conv1(x)))
            return F.relu(self.norm2(self.conv2(inner)) + self.shortcut(x))

    class Residual(torch.nn.Module):
        def __init__(self, width):
            super().__init__()
            self.stem, self.norm = torch.nn.Conv2d(3, width, 3, 1, 1, bias=False), torch.nn.BatchNorm2d(width)
            widths = [width * times for times in (1, 1, 1, 1, 2, 2, 2, 4, 4, 4)]
            self.blocks = torch.nn.Sequential(*[Block(a, b) for a, b in zip(widths, widths[1:])])
            self.out = torch.nn.Linear(4 * width, 10, bias=False)

        def forward(self, x, labels):
            h = F.relu(self.norm(self.stem(x)))
            return F.cross_entropy(self.out(self.blocks(h).mean((2, 3))), labels)

    class Transformer(torch.nn.Module):
        def __init__(self, deep):
            super().__init__()
            self.norm1, self.norm2 = torch.nn.LayerNorm(deep), torch.nn.LayerNorm(deep)
            self.qkv, self.out = torch.nn.Linear(deep, 3 * deep, bias=False), torch.nn.Linear(deep, deep, bias=False)
            self.up, self.down = torch.nn.Linear(deep, 4 * deep), torch.nn.Linear(4 * deep, deep, bias=False)

        def forward(self, x):
            batch, length, deep = x.shape
            q, k, v = self.qkv(self.norm1(x)).view(batch, length, 3, 8, deep // 8).permute(2, 0, 3, 1, 4)
            seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            h = x + self.out(seen.transpose(1, 2).reshape(batch, length, deep))
            return (h + self.down(F.gelu(self.up(self.norm2(h))))).square().mean()

    def trained(model, data, half, mode):
        model = model.to(device)
        descent = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        f = torch.compile(model, mode=mode) if compiles else model

        def call():
            with torch.autocast(device, torch.bfloat16, enabled=half):
                value = f(*data)
            descent.zero_grad()
            value.backward()
            descent.step()
            return value

        return call

    def residual(width, batch, half, mode):
        batch = size(batch, 8)
        data = torch.randn(batch, 3, 32, 32, device=device), torch.randint(0, 10, (batch,), device=device)
        return trained(Residual(width), data, half, mode)

    def transformer(half, mode):
        return trained(Transformer(512), (torch.randn(size(16, 1), size(512, 64), 512, device=device),), half, mode)

    def convolution(batch, channels, side, dtype, gradients):
        make = lambda *shape: torch.randn(*shape, device=device)
        x = make(size(batch, 2), channels, side, side).to(dtype).requires_grad_(gradients)
        w = (make(channels, channels, 3, 3) * 0.05).to(dtype).requires_grad_(gradients)
        if not gradients:
            return lambda: F.conv2d(x, w, padding=1)
        return lambda: torch.autograd.grad(F.conv2d(x, w, padding=1).sum(), (x, w))

    def attention(dtype):
        make = lambda: torch.randn(size(8, 1), 16, size(512, 64), 64, device=device).to(dtype)
        q, k, v = (make().requires_grad_() for _ in range(3))
        cotangent = make()
        return lambda: torch.autograd.grad(F.scaled_dot_product_attention(q, k, v, is_causal=True), (q, k, v), cotangent)

    # CUDA graphs. "max-autotune" adds minutes of search, in which cuDNN's convolutions won.
    best = "reduce-overhead"
    steps = {}
    for ending, half in (("", False), ("-bfloat16", True)):
        for form, mode in (("", None), ("-donated", best)) if compiles else (("", None),):
            steps[f"resnet-16{ending}{form}"] = lambda half=half, mode=mode: residual(16, 128, half, mode)
            steps[f"resnet-64{ending}{form}"] = lambda half=half, mode=mode: residual(64, 256, half, mode)
            steps[f"transformer{ending}{form}"] = lambda half=half, mode=mode: transformer(half, mode)
    if compiles:
        return steps
    for name in ("float32", "bfloat16", "float16"):
        dtype = getattr(torch, name)
        for shape in ((64, 64, 56), (128, 16, 32), (32, 256, 14)):
            for ending, gradients in (("", False), ("-gradients", True)):
                case = f"conv-{'x'.join(map(str, shape))}-{name}{ending}"
                steps[case] = lambda given=(*shape, dtype, gradients): convolution(*given)
        steps[f"attention-{name}"] = lambda dtype=dtype: attention(dtype)
    return steps


def jax_steps(device):
    """Makers of calls by name: functions of jax.jit, and the same whose parameters and state are donated."""
    import jax
    import jax.numpy as jnp

    size = lambda large, small: large if device == "cuda" else small
    keys = iter(jax.random.split(jax.random.key(1), 256))
    normal = lambda *shape: jax.random.normal(next(keys), shape)
    jax.config.update("jax_default_matmul_precision", "highest")

    def conv(x, w, stride=1):
        side = w.shape[-1] // 2
        return jax.lax.conv_general_dilated(x, w, (stride, stride), [(side, side)] * 2)

    def normed(x, weight, bias):
        mean = x.mean((0, 2, 3), keepdims=True)
        scaled = (x - mean) * jax.lax.rsqrt(x.var((0, 2, 3), keepdims=True) + 1e-5)
        return scaled * weight[:, None, None] + bias[:, None, None]

    def residual_model(width):
        kernel = lambda a, b, n=3: normal(b, a, n, n) * math.sqrt(2 / (a * n * n))
        norm = lambda c: {"weight": jnp.ones(c), "bias": jnp.zeros(c)}
        widths = [width * times for times in (1, 1, 1, 1, 2, 2, 2, 4, 4, 4)]
        blocks = []
        for a, b in zip(widths, widths[1:]):
            block = {"conv1": kernel(a, b), "norm1": norm(b), "conv2": kernel(b, b), "norm2": norm(b)}
            blocks.append(block if a == b else {**block, "shortcut": kernel(a, b, 1)})
        return {"stem": kernel(3, width), "norm": norm(width), "blocks": blocks, "out": normal(4 * width, 10) * 0.1}

    def residual_loss(m, x, labels):
        h = jax.nn.relu(normed(conv(x, m["stem"]), **m["norm"]))
        for block in m["blocks"]:
            stride = 2 if "shortcut" in block else 1
            inner = jax.nn.relu(normed(conv(h, block["conv1"], stride), **block["norm1"]))
            outer = normed(conv(inner, block["conv2"]), **block["norm2"])
            h = jax.nn.relu(outer + (conv(h, block["shortcut"], 2) if stride == 2 else h))
        scores = jax.nn.log_softmax((h.mean((2, 3)) @ m["out"]).astype(jnp.float32))
        return -jnp.take_along_axis(scores, labels[:, None], 1).mean()

    def block_model(deep):
        norm = lambda: {"weight": jnp.ones(deep), "bias": jnp.zeros(deep)}
        matrix = lambda a, b: normal(a, b) * math.sqrt(2 / (a + b))
        return {
            "norm1": norm(), "qkv": matrix(deep, 3 * deep), "out": matrix(deep, deep), "norm2": norm(),
            "up": matrix(deep, 4 * deep), "bias": jnp.zeros(4 * deep), "down": matrix(4 * deep, deep),
        }

    def layer_norm(x, weight, bias):
        x = x.astype(jnp.float32)
        scaled = (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
        return (scaled * weight + bias).astype(weight.dtype)

    def block_loss(m, x):
        batch, length, deep = x.shape
        q, k, v = jnp.moveaxis((layer_norm(x, **m["norm1"]) @ m["qkv"]).reshape(batch, length, 3, 8, deep // 8), 2, 0)
        seen = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        h = x + seen.reshape(batch, length, deep) @ m["out"]
        inner = jax.nn.gelu(layer_norm(h, **m["norm2"]) @ m["up"] + m["bias"], approximate=False)
        return jnp.square((h + inner @ m["down"]).astype(jnp.float32)).mean()

    def trained(model, loss, data, half, donate):
        to_half = lambda tree: jax.tree.map(lambda t: t.astype(jnp.bfloat16) if t.dtype == jnp.float32 else t, tree)
        cast = (lambda m, *given: loss(to_half(m), *to_half(given))) if half else loss

        def step(m, velocity, *given):
            value, grad = jax.value_and_grad(cast)(m, *given)
            velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grad)
            return jax.tree.map(lambda p, v: p - 0.01 * v, m, velocity), velocity, value

        f = jax.jit(step, donate_argnums=(0, 1) if donate else ())
        state = [model, jax.tree.map(jnp.zeros_like, model)]

        def call():
            state[0], state[1], value = f(*state, *data)
            return value

        return call

    def residual(width, batch, *form):
        batch = size(batch, 8)
        data = normal(batch, 3, 32, 32), jax.random.randint(next(keys), (batch,), 0, 10)
        return trained(residual_model(width), residual_loss, data, *form)

    def transformer(*form):
        return trained(block_model(512), block_loss, (normal(size(16, 1), size(512, 64), 512),), *form)

    def convolution(batch, channels, side, dtype, gradients):
        x = normal(size(batch, 2), channels, side, side).astype(dtype)
        w = (normal(channels, channels, 3, 3) * 0.05).astype(dtype)
        f = jax.jit(jax.grad(lambda x, w: conv(x, w).sum(), (0, 1)) if gradients else conv)
        return lambda: f(x, w)

    def attention(dtype):
        q, k, v, cotangent = (normal(size(8, 1), size(512, 64), 16, 64).astype(dtype) for _ in range(4))
        f = lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True)
        both = jax.jit(lambda cotangent, *given: jax.vjp(f, *given)[1](cotangent))
        return lambda: both(cotangent, q, k, v)

    steps = {}
    for ending, half in (("", False), ("-bfloat16", True)):
        for form, donate in (("", False), ("-donated", True)):
            steps[f"resnet-16{ending}{form}"] = lambda half=half, donate=donate: residual(16, 128, half, donate)
            steps[f"resnet-64{ending}{form}"] = lambda half=half, donate=donate: residual(64, 256, half, donate)
            steps[f"transformer{ending}{form}"] = lambda half=half, donate=donate: transformer(half, donate)
    for name in ("float32", "bfloat16", "float16"):
        for shape in ((64, 64, 56), (128, 16, 32), (32, 256, 14)):
            for ending, gradients in (("", False), ("-gradients", True)):
                case = f"conv-{'x'.join(map(str, shape))}-{name}{ending}"
                steps[case] = lambda given=(*shape, name, gradients): convolution(*given)
        steps[f"attention-{name}"] = lambda name=name: attention(name)
    return steps
