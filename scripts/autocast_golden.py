"""Writes test/data/autocast.json.gz: what PyTorch's torch.autocast("cpu") gives for networks and functions, with the gradients by
float32 parameters. Run it with a Python that has torch; test/training/autocast.test.ts compares."""

import torch
import torch.nn.functional as F
from golden import save, written


def waves(*shape, shift=0.0):
    size = torch.Size(shape).numel()
    return torch.sin(torch.arange(size, dtype=torch.float64) * 0.7 + 1 + shift).reshape(shape).float()


T = {
    "x": waves(6, 8),
    "w": waves(8, 5, shift=1),
    "b": waves(5, shift=2),
    "v": waves(5, 3, shift=3),
    "c": waves(3, shift=4),
    "q": waves(2, 4, 8, shift=5),
    "m": waves(8, 8, shift=6),
    "gain": waves(8, shift=7),
    "image": waves(1, 2, 5, 5, shift=8),
    "kernel": waves(3, 2, 3, 3, shift=9),
}
A = {**T, "labels": torch.tensor([0, 2, 1, 1, 0, 2]), "double": waves(8, 8).double(), "count": torch.arange(3)}
CASES = [
    ("x.matmul(w)", lambda x, w: x @ w),
    ("x.matmul(w).relu()", lambda x, w: torch.relu(x @ w)),
    ("x.matmul(w).add(b)", lambda x, w, b: x @ w + b),
    ("b.addmm(x, w)", lambda x, w, b: torch.addmm(b, x, w)),
    ("q.bmm(q.mT)", lambda q: q.bmm(q.mT)),
    ("m.matmul(gain)", lambda m, gain: m @ gain),
    ("jl.einsum('nij,jk->nik', q, m)", lambda q, m: torch.einsum("nij,jk->nik", q, m)),
    ("image.conv2d(kernel, { padding: 1 })", lambda image, kernel: F.conv2d(image, kernel, padding=1)),
    ("x.matmul(w).matmul(v)", lambda x, w, v: x @ w @ v),
    ("x.matmul(w).mul(b)", lambda x, w, b: (x @ w) * b),
    ("x.matmul(w).prod(1)", lambda x, w: (x @ w).prod(1)),
    ("x.exp().sum(1)", lambda x: x.exp().sum(1)),
    ("double.matmul(double)", lambda double: double @ double),
    ("count.mul(2)", lambda count: count * 2),
    ("jl.mseLoss(x.matmul(w), x.narrow(1, 0, 5))", lambda x, w: F.mse_loss(x @ w, x[:, :5])),
    ("jl.crossEntropy(c.addmm(b.addmm(x, w).relu(), v), labels)", lambda x, w, b, v, c, labels: F.cross_entropy(torch.addmm(c, torch.relu(torch.addmm(b, x, w)), v), labels)),
    ("jl.crossEntropy(x.matmul(w).add(b).tanh().matmul(v).add(c), labels)", lambda x, w, b, v, c, labels: F.cross_entropy(torch.tanh(x @ w + b) @ v + c, labels)),
    ("jl.layerNorm(x, 8, { weight: gain })", lambda x, gain: F.layer_norm(x, (8,), gain)),
    ("jl.layerNorm(x.add(x.matmul(m)), 8, { weight: gain }).matmul(w)", lambda x, m, gain, w: F.layer_norm(x + x @ m, (8,), gain) @ w),
    ("jl.scaledDotProductAttention(q.matmul(m), q, q)", lambda q, m: F.scaled_dot_product_attention(q @ m, q, q)),
    ("q.add(jl.scaledDotProductAttention(q.matmul(m), q.matmul(m.mT), q, { isCausal: true }).matmul(m))", lambda q, m: q + F.scaled_dot_product_attention(q @ m, q @ m.mT, q, is_causal=True) @ m),
]


def one(dtype, call, run):
    names = run.__code__.co_varnames
    tensors = {name: A[name].detach().clone() for name in names}
    wanted = [name for name in names if name in T]
    for name in wanted:
        tensors[name].requires_grad_(True)
    with torch.autocast("cpu", dtype):
        result = run(**tensors)
    if wanted:
        weights = torch.cos(torch.arange(1, result.numel() + 1)).reshape(result.shape)
        (result * weights).sum().backward()
    gradients = {name: written(tensors[name].grad) for name in wanted}
    return {"dtype": str(dtype).removeprefix("torch."), "call": call, "result": written(result.detach()), "gradients": gradients}


cases = [one(dtype, *case) for dtype in (torch.bfloat16, torch.float16) for case in CASES]
save("autocast", len(cases), {"inputs": {name: written(tensor) for name, tensor in A.items()}, "cases": cases})
