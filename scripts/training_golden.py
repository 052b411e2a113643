"""Writes test/data/training.json.gz: PyTorch's losses, normalizations and attention with their gradients, in float64 and rounded to
half types, parameters after 20 steps of its optimizers, learning rates of 20 steps, and deviations of initial values. Run it with a Python that has torch; test/training compares."""

import torch
import torch.nn.functional as F
from golden import save, written

double = torch.float64
inf = float("inf")


def waves(*shape, shift=0.0):
    size = torch.Size(shape).numel()
    return torch.sin(torch.arange(size, dtype=double) * 0.7 + 1 + shift).reshape(shape) * 2


T = {
    "logits": waves(5, 4),
    "line": waves(4, shift=1),
    "image": waves(2, 3, 2, 2),
    "shares": torch.softmax(waves(5, 4, shift=2), 1),
    "factors": torch.tensor([0.5, 2, 1, 3], dtype=double),
    "rows": waves(3, 6, shift=3),
    "gain": waves(6, shift=4),
    "offset": waves(6, shift=5),
    "cube": waves(2, 2, 3, shift=6),
    "q": waves(2, 3, 4),
    "k": waves(2, 5, 4, shift=1),
    "v": waves(2, 5, 3, shift=2),
    "scores": waves(3, 5, shift=3),
    "maps": waves(4, 6, 3, shift=7),
    "sheet": waves(5, 3, shift=8),
    "scale": waves(3, shift=9),
    "shift": waves(3, shift=10),
    "table": waves(7, 3, shift=11),
    "truths": torch.sigmoid(waves(5, 4, shift=12)),
}
I = {
    "labels": torch.tensor([0, 3, 2, 1, 3]),
    "some": torch.tensor([0, -100, 2, 1, -100]),
    "one": torch.tensor(2),
    "pixels": torch.tensor([[[0, 1], [2, 0]], [[1, 1], [0, 2]]]),
    "words": torch.tensor([[0, 3, 3], [6, 5, 0]]),
    "former": waves(3, shift=13),
    "spread": torch.exp(waves(3, shift=14)),
    "seen": torch.tensor([[True, False, True, True, False], [False] * 5, [True] * 5]),
}
A = {**T, **I}


def batch_norm(x, part="output", weight=None, bias=None, **options):
    """The result, or a statistic that PyTorch writes in place."""
    mean, var = A["former"].clone(), A["spread"].clone()
    found = F.batch_norm(x, mean, var, weight, bias, **options)
    return {"output": found, "mean": mean, "var": var}[part]


CASES = [
    ("jl.crossEntropy(logits, labels)", lambda: F.cross_entropy(A["logits"], A["labels"])),
    ("jl.crossEntropy(logits, some)", lambda: F.cross_entropy(A["logits"], A["some"])),
    ("jl.crossEntropy(line, one)", lambda: F.cross_entropy(A["line"], A["one"])),
    ("jl.crossEntropy(image, pixels)", lambda: F.cross_entropy(A["image"], A["pixels"])),
    ("jl.crossEntropy(logits, labels, { ignoreIndex: 3, reduction: 'none' })", lambda: F.cross_entropy(A["logits"], A["labels"], ignore_index=3, reduction="none")),
    ("jl.crossEntropy(logits, some, { weight: factors })", lambda: F.cross_entropy(A["logits"], A["some"], A["factors"].detach())),
    ("jl.crossEntropy(logits, some, { weight: factors, labelSmoothing: 0.3 })", lambda: F.cross_entropy(A["logits"], A["some"], A["factors"].detach(), label_smoothing=0.3)),
    ("jl.crossEntropy(logits, some, { labelSmoothing: 0.3, reduction: 'none' })", lambda: F.cross_entropy(A["logits"], A["some"], label_smoothing=0.3, reduction="none")),
    ("jl.crossEntropy(image, pixels, { labelSmoothing: 0.1 })", lambda: F.cross_entropy(A["image"], A["pixels"], label_smoothing=0.1)),
    ("jl.crossEntropy(logits, labels, { labelSmoothing: 1, reduction: 'sum' })", lambda: F.cross_entropy(A["logits"], A["labels"], label_smoothing=1.0, reduction="sum")),
    ("jl.crossEntropy(logits, shares)", lambda: F.cross_entropy(A["logits"], A["shares"])),
    ("jl.crossEntropy(logits, shares, { weight: factors, labelSmoothing: 0.2 })", lambda: F.cross_entropy(A["logits"], A["shares"], A["factors"].detach(), label_smoothing=0.2)),
    ("jl.nllLoss(logits.logSoftmax(1), some, { weight: factors, reduction: 'sum' })", lambda: F.nll_loss(F.log_softmax(A["logits"], 1), A["some"], A["factors"].detach(), reduction="sum")),
    ("jl.nllLoss(image, pixels)", lambda: F.nll_loss(A["image"], A["pixels"])),
    ("jl.mseLoss(rows, rows.flip(0))", lambda: F.mse_loss(A["rows"], A["rows"].flip(0))),
    ("jl.l1Loss(rows, rows.flip(1), { reduction: 'none' })", lambda: F.l1_loss(A["rows"], A["rows"].flip(1), reduction="none")),
    ("jl.huberLoss(rows, rows.flip(1).mul(0.5), { delta: 0.7, reduction: 'sum' })", lambda: F.huber_loss(A["rows"], A["rows"].flip(1) * 0.5, delta=0.7, reduction="sum")),
    ("jl.layerNorm(rows, 6)", lambda: F.layer_norm(A["rows"], (6,))),
    ("jl.layerNorm(rows, [6], { weight: gain, bias: offset, eps: 0.1 })", lambda: F.layer_norm(A["rows"], (6,), A["gain"], A["offset"], 0.1)),
    ("jl.layerNorm(cube, [2, 3])", lambda: F.layer_norm(A["cube"], (2, 3))),
    ("jl.rmsNorm(rows, 6, { weight: gain })", lambda: F.rms_norm(A["rows"], (6,), A["gain"])),
    ("jl.rmsNorm(cube.mul(1e-7), [2, 3], { eps: 1e-8 })", lambda: F.rms_norm(A["cube"] * 1e-7, (2, 3), eps=1e-8)),
    ("jl.rmsNorm(cube.mul(1e-8), [2, 3])", lambda: F.rms_norm(A["cube"] * 1e-8, (2, 3))),
    ("jl.scaledDotProductAttention(q, k, v)", lambda: F.scaled_dot_product_attention(A["q"], A["k"], A["v"])),
    ("jl.scaledDotProductAttention(q, k, v, { isCausal: true, scale: 0.3 })", lambda: F.scaled_dot_product_attention(A["q"], A["k"], A["v"], is_causal=True, scale=0.3)),
    ("jl.scaledDotProductAttention(q, k, v, { attnMask: seen })", lambda: F.scaled_dot_product_attention(A["q"], A["k"], A["v"], attn_mask=A["seen"])),
    ("jl.scaledDotProductAttention(q, k, v, { attnMask: scores })", lambda: F.scaled_dot_product_attention(A["q"], A["k"], A["v"], attn_mask=A["scores"])),
    ("jl.rmsNorm(rows.to('bfloat16').mul(0.03), 6)", lambda: F.rms_norm(A["rows"].to(torch.bfloat16) * 0.03, (6,))),
    ("jl.layerNorm(rows.to('float16'), 6)", lambda: F.layer_norm(A["rows"].to(torch.float16), (6,))),
    ("jl.crossEntropy(logits.to('float16'), labels)", lambda: F.cross_entropy(A["logits"].to(torch.float16), A["labels"])),
    ("jl.batchNorm(image, { mean: former, var: spread }).output", lambda: batch_norm(A["image"])),
    ("jl.batchNorm(image, { mean: former, var: spread }, { weight: scale, bias: shift, eps: 0.1 }).output", lambda: batch_norm(A["image"], weight=A["scale"], bias=A["shift"], eps=0.1)),
    ("jl.batchNorm(image, { mean: former, var: spread }, { weight: scale, bias: shift, training: true }).output", lambda: batch_norm(A["image"], weight=A["scale"], bias=A["shift"], training=True)),
    ("jl.batchNorm(sheet, undefined, { bias: shift, training: true }).output", lambda: F.batch_norm(A["sheet"], None, None, None, A["shift"], training=True)),
    ("jl.batchNorm(image, { mean: former, var: spread }, { training: true }).running.mean", lambda: batch_norm(A["image"], "mean", training=True).detach()),
    ("jl.batchNorm(image, { mean: former, var: spread }, { training: true, momentum: 0.3 }).running.var", lambda: batch_norm(A["image"], "var", training=True, momentum=0.3).detach()),
    ("jl.batchNorm(image.to('float16'), { mean: former, var: spread }, { training: true }).output", lambda: F.batch_norm(A["image"].to(torch.float16), None, None, training=True)),
    ("jl.groupNorm(maps, 3)", lambda: F.group_norm(A["maps"], 3)),
    ("jl.groupNorm(maps, 2, { weight: gain, bias: offset, eps: 0.1 })", lambda: F.group_norm(A["maps"], 2, A["gain"], A["offset"], 0.1)),
    ("jl.groupNorm(rows, 3, { weight: gain })", lambda: F.group_norm(A["rows"], 3, A["gain"])),
    ("jl.embedding(words, table)", lambda: F.embedding(A["words"], A["table"])),
    ("jl.embedding(words, table, { paddingIdx: 3 })", lambda: F.embedding(A["words"], A["table"], padding_idx=3)),
    ("jl.embedding(labels, table, { paddingIdx: -4 })", lambda: F.embedding(A["labels"], A["table"], padding_idx=-4)),
    ("jl.bceWithLogits(logits, truths)", lambda: F.binary_cross_entropy_with_logits(A["logits"], A["truths"])),
    ("jl.bceWithLogits(logits.mul(400), shares, { reduction: 'sum' })", lambda: F.binary_cross_entropy_with_logits(A["logits"] * 400, A["shares"], reduction="sum")),
    ("jl.bceWithLogits(logits, truths, { weight: factors, posWeight: factors.flip(0), reduction: 'none' })", lambda: F.binary_cross_entropy_with_logits(A["logits"], A["truths"], A["factors"].detach(), reduction="none", pos_weight=A["factors"].detach().flip(0))),
    ("jl.bceWithLogits(logits.to('bfloat16'), truths.to('bfloat16'))", lambda: F.binary_cross_entropy_with_logits(A["logits"].to(torch.bfloat16), A["truths"].to(torch.bfloat16))),
    ("jl.oneHot(labels)", lambda: F.one_hot(A["labels"])),
    ("jl.oneHot(pixels, 4)", lambda: F.one_hot(A["pixels"], 4)),
]


def one(call, run):
    for name, tensor in T.items():
        tensor.grad = None
        tensor.requires_grad_(True)
    result = run()
    if result.requires_grad:
        weights = torch.cos(torch.arange(1, result.numel() + 1, dtype=double)).reshape(result.shape)
        (result * weights).sum().backward()
    gradients = {name: written(tensor.grad) for name, tensor in T.items() if tensor.grad is not None}
    return {"call": call, "result": written(result.detach()), "gradients": gradients}


OPTIMIZERS = [
    ("sgd", {"lr": 0.1}),
    ("sgd", {"lr": 0.1, "momentum": 0.9, "weightDecay": 0.05}),
    ("sgd", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "maximize": True}),
    ("sgd", {"lr": 0.05, "momentum": 0.8, "nesterov": True}),
    ("adam", {}),
    ("adam", {"lr": 0.1, "betas": [0.8, 0.9], "eps": 1e-3, "weightDecay": 0.1}),
    ("adam", {"lr": 0.05, "amsgrad": True, "maximize": True}),
    ("adamW", {"lr": 0.1}),
    ("adamW", {"lr": 0.1, "weightDecay": 0.3, "amsgrad": True}),
    ("rmsprop", {}),
    ("rmsprop", {"lr": 0.05, "alpha": 0.8, "eps": 1e-3, "momentum": 0.5, "weightDecay": 0.1}),
    ("rmsprop", {"lr": 0.05, "centered": True, "maximize": True}),
]
PYTHON = {"weightDecay": "weight_decay"}
CLASSES = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamW": torch.optim.AdamW, "rmsprop": torch.optim.RMSprop}


def trained(name, options):
    """Parameters after 20 steps on the loss of test/training/optim.test.ts."""
    a, b = waves(3, 2).requires_grad_(), waves(2, shift=1).requires_grad_()
    optimizer = CLASSES[name]([a, b], **{PYTHON.get(key, key): value for key, value in options.items()})
    x = waves(4, 3, shift=2)
    for _ in range(20):
        optimizer.zero_grad()
        torch.tanh(x @ a + b).square().mean().backward()
        optimizer.step()
    return {"name": name, "options": options, "a": written(a.detach()), "b": written(b.detach())}


def clipped(most):
    a, b = waves(3, 2).requires_grad_(), waves(2, shift=1).requires_grad_()
    a.grad, b.grad = a.detach().clone(), b.detach().clone()
    norm = torch.nn.utils.clip_grad_norm_([a, b], most)
    return {"most": most, "norm": written(norm), "a": written(a.grad), "b": written(b.grad)}


S = torch.optim.lr_scheduler
SCHEDULES = [
    ("jl.optim.constantLr(0.3)", 0.3, 0, lambda o: S.ConstantLR(o, 1)),
    ("jl.optim.constantLr(0.3, { warmup: 4 })", 0.3, 4, lambda o: S.ConstantLR(o, 1)),
    ("jl.optim.cosineLr(0.3, 20)", 0.3, 0, lambda o: S.CosineAnnealingLR(o, 20)),
    ("jl.optim.cosineLr(0.3, 15, { etaMin: 0.1, warmup: 5 })", 0.3, 5, lambda o: S.CosineAnnealingLR(o, 15, 0.1)),
    ("jl.optim.stepLr(0.3, 6)", 0.3, 0, lambda o: S.StepLR(o, 6)),
    ("jl.optim.stepLr(0.3, 4, { gamma: 0.5, warmup: 3 })", 0.3, 3, lambda o: S.StepLR(o, 4, 0.5)),
]


def scheduled(call, lr, warmup, make):
    """The rates of 20 steps; the warm-up is a LinearLR before the schedule."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=lr)
    if warmup == 0:
        schedule = make(optimizer)
    else:
        linear = S.LinearLR(optimizer, start_factor=1 / warmup, total_iters=warmup - 1)
        schedule = S.SequentialLR(optimizer, [linear, make(optimizer)], [warmup])
    rates = []
    for _ in range(20):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return {"call": call, "rates": rates}


def deviation(shape, options, run):
    """The deviation that an initial value of PyTorch has: what it passes to normal_ or, times the root of 3, to uniform_."""
    kept = torch.Tensor.normal_
    found = []
    torch.Tensor.normal_ = lambda self, mean, std, **_: (found.append(std), self)[1]
    run(torch.zeros(shape))
    torch.Tensor.normal_ = kept
    return {"shape": shape, "options": options, "deviation": found[0]}


N = torch.nn.init
INITIAL = [
    ("kaiming", deviation([64, 32], {}, lambda x: N.kaiming_normal_(x))),
    ("kaiming", deviation([16, 8, 3, 3], {"mode": "fanOut", "nonlinearity": "relu"}, lambda x: N.kaiming_normal_(x, mode="fan_out", nonlinearity="relu"))),
    ("kaiming", deviation([64, 32], {"a": 0.3}, lambda x: N.kaiming_normal_(x, a=0.3))),
    ("kaiming", deviation([64, 32], {"nonlinearity": "tanh"}, lambda x: N.kaiming_normal_(x, nonlinearity="tanh"))),
    ("kaiming", deviation([64, 32], {"nonlinearity": "selu"}, lambda x: N.kaiming_normal_(x, nonlinearity="selu"))),
    ("xavier", deviation([64, 32], {}, lambda x: N.xavier_normal_(x))),
    ("xavier", deviation([16, 8, 3, 3], {"gain": 2.5}, lambda x: N.xavier_normal_(x, 2.5))),
]

cases = [one(call, run) for call, run in CASES]
inputs = {name: written(tensor.detach()) for name, tensor in A.items()}
optimizers = [trained(*one) for one in OPTIMIZERS]
clips = [clipped(most) for most in (1.0, 100.0)]
schedules = [scheduled(*one) for one in SCHEDULES]
initial = [{"name": name, **one} for name, one in INITIAL]
parts = {"optimizers": optimizers, "clips": clips, "schedules": schedules, "initial": initial}
save("training", len(cases), {"inputs": inputs, "cases": cases, **parts})
