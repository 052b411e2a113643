"""Writes test/data/gradients.json.gz: the gradients that PyTorch gives, at kinks above all. Run it with a Python that has it;
test/grad/golden.test.ts compares. A case is a call in JavaScript, and PyTorch's, whose result is weighted by cosines and summed."""

import torch
import torch.nn.functional as F
from golden import save, written

double = torch.float64
inf, nan = float("inf"), float("nan")


def vector(*values):
    return torch.tensor(values, dtype=double)


T = {
    "zeros": vector(-1, 0, 1),
    "signs": vector(-2.5, -1, -0.5, 0, 0.5, 1, 3),
    "borders": vector(-3, -1, 0, 1, 3, 6),
    "special": vector(-inf, -1, 0, 2, inf, nan),
    "ties": torch.tensor([[1, 3, 3], [2, 2, 2]], dtype=double),
    "left": vector(1, 2, 3, nan),
    "right": vector(1, 3, 2, 1),
    "base": vector(0, 0, 2, -2, 0.5),
    "power": vector(0, 2, 0, 3, -1.5),
    "positive": vector(0.5, 1, 4),
    "matrix": torch.sin(torch.arange(12, dtype=double)).reshape(3, 4),
    "other": torch.cos(torch.arange(8, dtype=double)).reshape(4, 2),
    "product1": vector(2, 0, 3),
    "product2": vector(0, 0, 3),
    "square": torch.tensor([[2, 0.5, -1], [0.25, 3, 1], [1, -0.5, 2.5]], dtype=double),
    "singular": torch.tensor([[1, 2, 3], [2, 4, 6], [1, 0, 1]], dtype=double),
    "tall": torch.tensor([[1, 2], [-1, 0.5], [0.25, 3], [2, -2]], dtype=double),
    "factors": torch.tensor([[2, 0, 3, 0, 1], [1, 2, 3, 4, 5], [0, 2, -1, 3, 2]], dtype=double),
    "complex": torch.tensor([0, 1 + 2j, -2 + 0.5j, 0.5 - 1j], dtype=torch.complex128),
    "far": torch.tensor([[-inf, 1, 2], [800, 801, -5]], dtype=double),
}
INDEX = "jl.tensor([[0n, 0n, 3n, 1n], [2n, 2n, 2n, 2n], [1n, 0n, 1n, 0n]])"
PLACES = torch.tensor([[0, 0, 3, 1], [2, 2, 2, 2], [1, 0, 1, 0]])
CASES = [
    ("zeros.abs()", lambda: T["zeros"].abs()),
    ("zeros.sign().add(zeros)", lambda: T["zeros"].sign() + T["zeros"]),
    ("zeros.sqrt()", lambda: T["zeros"].sqrt()),
    ("zeros.rsqrt()", lambda: T["zeros"].rsqrt()),
    ("zeros.log()", lambda: T["zeros"].log()),
    ("zeros.reciprocal()", lambda: T["zeros"].reciprocal()),
    ("zeros.sinc()", lambda: T["zeros"].sinc()),
    ("jl.atan2(zeros, zeros.mul(0))", lambda: torch.atan2(T["zeros"], T["zeros"] * 0)),
    ("jl.xlogy(zeros, zeros.abs())", lambda: torch.xlogy(T["zeros"], T["zeros"].abs())),
    ("jl.pow(base, power)", lambda: torch.pow(T["base"], T["power"])),
    ("base.pow(0)", lambda: T["base"].pow(0)),
    ("base.pow(2)", lambda: T["base"].pow(2)),
    ("jl.maximum(left, right)", lambda: torch.maximum(T["left"], T["right"])),
    ("jl.minimum(left, right)", lambda: torch.minimum(T["left"], T["right"])),
    ("jl.fmax(left, right)", lambda: torch.fmax(T["left"], T["right"])),
    ("jl.fmin(left, right)", lambda: torch.fmin(T["left"], T["right"])),
    ("left.clamp(-1, 2)", lambda: T["left"].clamp(-1, 2)),
    ("signs.clamp(-1, 1)", lambda: T["signs"].clamp(-1, 1)),
    ("signs.clamp(1, -1)", lambda: T["signs"].clamp(1, -1)),
    ("ties.amax(1)", lambda: T["ties"].amax(1)),
    ("ties.amin([0, 1])", lambda: T["ties"].amin([0, 1])),
    ("ties.max()", lambda: T["ties"].max()),
    ("special.max()", lambda: T["special"].max()),
    ("left.min()", lambda: T["left"].min()),
    ("ties.median()", lambda: T["ties"].median()),
    ("ties.median(1).values", lambda: T["ties"].median(1).values),
    ("left.median()", lambda: T["left"].median()),
    ("left.nanmedian()", lambda: T["left"].nanmedian()),
    ("ties.nanmedian()", lambda: T["ties"].nanmedian()),
    ("ties.cummax(1).values", lambda: T["ties"].cummax(1).values),
    ("ties.sort(1).values", lambda: T["ties"].sort(dim=1, stable=True).values),
    ("product1.prod()", lambda: T["product1"].prod()),
    ("product2.prod()", lambda: T["product2"].prod()),
    ("matrix.prod(1)", lambda: T["matrix"].prod(1)),
    ("special.relu()", lambda: T["special"].relu()),
    ("special.nanToNum()", lambda: T["special"].nan_to_num()),
    ("special.sigmoid()", lambda: T["special"].sigmoid()),
    ("special.tanh()", lambda: T["special"].tanh()),
    ("special.gt(0).where(special, special.mul(2))", lambda: torch.where(T["special"] > 0, T["special"], T["special"] * 2)),
    ("borders.relu6()", lambda: F.relu6(T["borders"])),
    ("borders.hardtanh()", lambda: F.hardtanh(T["borders"])),
    ("borders.hardswish()", lambda: F.hardswish(T["borders"])),
    ("borders.hardsigmoid()", lambda: F.hardsigmoid(T["borders"])),
    ("signs.softshrink()", lambda: F.softshrink(T["signs"])),
    ("signs.hardshrink()", lambda: F.hardshrink(T["signs"])),
    ("signs.leakyRelu({ negativeSlope: 0.2 })", lambda: F.leaky_relu(T["signs"], 0.2)),
    ("signs.elu({ alpha: 1.3 })", lambda: F.elu(T["signs"], 1.3)),
    ("signs.selu()", lambda: F.selu(T["signs"])),
    ("signs.silu()", lambda: F.silu(T["signs"])),
    ("signs.mish()", lambda: F.mish(T["signs"])),
    ("signs.gelu()", lambda: F.gelu(T["signs"])),
    ("signs.softplus()", lambda: F.softplus(T["signs"])),
    ("signs.logsigmoid()", lambda: F.logsigmoid(T["signs"])),
    ("signs.frac()", lambda: T["signs"].frac()),
    ("signs.remainder(0.7)", lambda: T["signs"].remainder(0.7)),
    ("signs.fmod(0.7)", lambda: T["signs"].fmod(0.7)),
    ("positive.lgamma()", lambda: T["positive"].lgamma()),
    ("positive.digamma()", lambda: T["positive"].digamma()),
    ("positive.i0()", lambda: torch.special.i0(T["positive"])),
    ("positive.i1e()", lambda: torch.special.i1e(T["positive"])),
    ("positive.erfcx()", lambda: torch.special.erfcx(T["positive"])),
    ("positive.div(8).erfinv()", lambda: (T["positive"] / 8).erfinv()),
    ("positive.logNdtr()", lambda: torch.special.log_ndtr(T["positive"])),
    ("matrix.matmul(other)", lambda: T["matrix"] @ T["other"]),
    ("matrix.softmax(1)", lambda: T["matrix"].softmax(1)),
    ("matrix.logSoftmax(0)", lambda: T["matrix"].log_softmax(0)),
    ("matrix.logsumexp(1)", lambda: T["matrix"].logsumexp(1)),
    ("far.softmax(1)", lambda: T["far"].softmax(1)),
    ("matrix.var(1)", lambda: T["matrix"].var(1)),
    ("matrix.std(1)", lambda: T["matrix"].std(1)),
    ("matrix.norm()", lambda: T["matrix"].norm()),
    ("matrix.mul(0).norm()", lambda: (T["matrix"] * 0).norm()),
    ("matrix.mul(0).norm(1)", lambda: (T["matrix"] * 0).norm(1)),
    ("matrix.mul(0).add(2).std(1)", lambda: (T["matrix"] * 0 + 2).std(1)),
    ("matrix.select(0, 0).narrow(0, 0, 1).var()", lambda: T["matrix"][0, :1].var()),
    ("matrix.cumsum(1)", lambda: T["matrix"].cumsum(1)),
    ("matrix.unfold(1, 3, 1)", lambda: T["matrix"].unfold(1, 3, 1)),
    ("matrix.topk(2, 1).values", lambda: T["matrix"].topk(2, 1).values),
    ("far.logsumexp(1)", lambda: T["far"].logsumexp(1)),
    ("jl.hypot(zeros.mul(0), zeros)", lambda: torch.hypot(T["zeros"] * 0, T["zeros"])),
    ("zeros.gt(0).where(zeros.log(), zeros)", lambda: torch.where(T["zeros"] > 0, T["zeros"].log(), T["zeros"])),
    ("special.gt(0).where(special.mul(3), special.reciprocal())", lambda: torch.where(T["special"] > 0, T["special"] * 3, T["special"].reciprocal())),
    ("matrix.norm(3)", lambda: T["matrix"].norm(3)),
    ("matrix.norm(Infinity)", lambda: T["matrix"].norm(inf)),
    ("matrix.mul(0).norm(3)", lambda: (T["matrix"] * 0).norm(3)),
    ("matrix.mul(0).norm(Infinity)", lambda: (T["matrix"] * 0).norm(inf)),
    ("ties.max(1, { indices: true }).values", lambda: T["ties"].max(1).values),
    ("ties.min(0, { indices: true }).values", lambda: T["ties"].min(0).values),
    ("factors.cumprod(1)", lambda: T["factors"].cumprod(1)),
    ("factors.prod(1)", lambda: T["factors"].prod(1)),
    ("matrix.logcumsumexp(1)", lambda: T["matrix"].logcumsumexp(1)),
    ("far.logcumsumexp(1)", lambda: T["far"].logcumsumexp(1)),
    ("tall.cdist(tall.mul(0).add(1))", lambda: torch.cdist(T["tall"], T["tall"] * 0 + 1)),
    *[
        (
            f"factors.scatterReduce(1, {INDEX}, matrix, '{how}', {{ includeSelf: {str(own).lower()} }})",
            lambda how=how, own=own: T["factors"].scatter_reduce(1, PLACES, T["matrix"], how, include_self=own),
        )
        for how in ["sum", "prod", "mean", "amax", "amin"]
        for own in [True, False]
    ],
    ("ties.scatterReduce(1, jl.tensor([[0n, 0n, 1n], [0n, 0n, 0n]]), ties, 'amax')", lambda: T["ties"].scatter_reduce(1, torch.tensor([[0, 0, 1], [0, 0, 0]]), T["ties"], "amax")),
    ("jl.linalg.solve(square, tall.narrow(0, 0, 3))", lambda: torch.linalg.solve(T["square"], T["tall"][:3])),
    ("jl.linalg.inv(square)", lambda: torch.linalg.inv(T["square"])),
    ("jl.linalg.det(square)", lambda: torch.linalg.det(T["square"])),
    ("jl.linalg.det(singular)", lambda: torch.linalg.det(T["singular"])),
    ("jl.linalg.slogdet(square).logabsdet", lambda: torch.linalg.slogdet(T["square"]).logabsdet),
    ("jl.linalg.cholesky(square.matmul(square.T))", lambda: torch.linalg.cholesky(T["square"] @ T["square"].T)),
    ("jl.linalg.eigvalsh(square.add(square.T))", lambda: torch.linalg.eigvalsh(T["square"] + T["square"].T)),
    ("jl.linalg.eigh(square.add(square.T)).eigenvectors.square()", lambda: torch.linalg.eigh(T["square"] + T["square"].T).eigenvectors.square()),
    ("jl.linalg.qr(tall).R.square()", lambda: torch.linalg.qr(T["tall"]).R.square()),
    ("jl.linalg.qr(tall).Q.square()", lambda: torch.linalg.qr(T["tall"]).Q.square()),
    ("jl.linalg.svdvals(tall)", lambda: torch.linalg.svdvals(T["tall"])),
    ("jl.linalg.svd(tall, { fullMatrices: false }).U.square()", lambda: torch.linalg.svd(T["tall"], full_matrices=False).U.square()),
    ("jl.linalg.pinv(tall)", lambda: torch.linalg.pinv(T["tall"])),
    ("jl.linalg.solveTriangular(square, square, { upper: true })", lambda: torch.linalg.solve_triangular(T["square"], T["square"], upper=True)),
    ("complex.abs()", lambda: T["complex"].abs()),
    ("complex.angle()", lambda: T["complex"].angle()),
    ("complex.mul(complex.conj()).real()", lambda: (T["complex"] * T["complex"].conj()).real),
    ("complex.mul(complex).exp().imag()", lambda: (T["complex"] * T["complex"]).exp().imag),
    ("complex.pow(2).real()", lambda: T["complex"].pow(2).real),
    ("complex.sgn().real()", lambda: T["complex"].sgn().real),
    ("complex.cumprod(0).real()", lambda: T["complex"].cumprod(0).real),
    ("jl.fft.fft(signs).abs()", lambda: torch.fft.fft(T["signs"]).abs()),
    ("jl.fft.irfft(complex)", lambda: torch.fft.irfft(T["complex"])),
    ("jl.fft.rfft(signs).imag()", lambda: torch.fft.rfft(T["signs"]).imag),
    ("jl.einsum('ij,jk->ki', matrix, other)", lambda: torch.einsum("ij,jk->ki", T["matrix"], T["other"])),
]


def gradients(call, run):
    for tensor in T.values():
        tensor.grad = None
        tensor.requires_grad_(True)
    result = run()
    weights = torch.cos(torch.arange(1, result.numel() + 1, dtype=double)).reshape(result.shape)
    (result * weights).sum().backward()
    return {name: written(tensor.grad) for name, tensor in T.items() if tensor.grad is not None}


cases = [{"call": call, "gradients": gradients(call, run)} for call, run in CASES]
inputs = {name: written(tensor.detach()) for name, tensor in T.items()}
save("gradients", len(cases), {"inputs": inputs, "cases": cases})
