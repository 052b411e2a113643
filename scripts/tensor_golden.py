"""Writes test/data/tensor-functions.json.gz, tensor-scans.json.gz, tensor-order.json.gz and tensor-statistics.json.gz: what PyTorch gives for functions of tensors that are not elementwise,
over dtypes, layouts, sizes and special values. Run it with a Python that has torch; the tests of those names compare."""

import gzip
import json
import math
import re
import warnings
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore")
nan, inf = math.nan, math.inf
REAL = ["uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
ALL = ["bool", *REAL, "complex64"]
VALUES = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4]


def element(value):
    if isinstance(value, complex):
        return [element(value.real), element(value.imag)]
    if isinstance(value, bool) or isinstance(value, int):
        return value if abs(value) < 2**53 else str(value)
    if math.isnan(value) or math.isinf(value):
        return str(value)
    return "-0" if value == 0 and math.copysign(1, value) < 0 else value


def written(tensor):
    wide = tensor.double() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor
    name = str(tensor.dtype).removeprefix("torch.")
    return {"dtype": name, "shape": list(tensor.shape), "values": [element(v) for v in wide.reshape(-1).tolist()]}


# Named tensors: the data, and the slice of ours that views them; the slice of PyTorch's is of a copy.
INPUTS = {}
TENSORS = {}


def give(name, data, dtype, shape=None, cut=None):
    base = torch.tensor(data, dtype=getattr(torch, dtype))
    base = base.reshape(shape) if shape is not None else base
    INPUTS[name] = {**written(base), **({"slice": cut} if cut else {})}
    TENSORS[name] = base
    if cut == "T":
        TENSORS[name] = base.T
    elif cut:
        places = np.arange(base.numel()).reshape(base.shape)
        chosen = eval(f"places[{cut}]")
        TENSORS[name] = base.reshape(-1)[torch.tensor(chosen.copy())]


def signed(dtype, count=12):
    values = [v * (-1 if i % 3 == 1 and not dtype.startswith(("u", "b")) else 1) for i, v in enumerate(VALUES[:count])]
    if dtype == "bool":
        return [v % 2 == 1 for v in values]
    if dtype.startswith("complex"):
        return [complex(v, -i / 2) for i, v in enumerate(values)]
    return values


for dtype in ALL:
    give(f"m_{dtype}", signed(dtype), dtype, [3, 4])
give("turned", signed("float32"), "float32", [3, 4], "T")
give("steps", signed("float64", 24), "float64", [4, 6], "::-1, 4::-2")
give("odd", [1, nan, -inf, inf, -0.0, 0.0, nan, 2, -3], "float32", [3, 3])
give("cube", signed("float32", 24), "float32", [2, 3, 4])
give("vector", [3, 1, 2, 5, 4], "float32")
give("whole", [3, -1, 2], "int64")
give("scalar", 2.5, "float32")
give("none", [], "float32", [0, 3])
give("hollow", [], "int64", [2, 0])
MATRICES = [*(f"m_{dtype}" for dtype in ALL), "turned", "steps", "odd"]
SHAPED = [*MATRICES, "cube", "vector", "scalar", "none", "hollow"]
FLOATING = ["m_float16", "m_bfloat16", "m_float32", "m_float64", "m_int32", "m_bool", "turned", "steps", "odd", "cube", "vector", "scalar", "none"]

# Ours, PyTorch's, and the tensors that x is.
FILES = {}


def subject(name):
    """Later cases go to this file."""
    global CASES
    CASES = FILES.setdefault(name, [])


def cases(inputs, *pairs):
    for name in inputs:
        for ours, theirs in pairs:
            CASES.append((name, ours, theirs))


subject("tensor-functions")


cases(SHAPED,
    ("x.roll(1)", "x.roll(1)"), ("x.roll([1, -2], [0, 1])", "x.roll([1, -2], [0, 1])"), ("x.roll(7, -1)", "x.roll(7, -1)"),
    ("x.flip(0)", "x.flip(0)"), ("x.flip([0, -1])", "x.flip([0, -1])"), ("x.rot90()", "x.rot90()"), ("x.rot90(-1, [1, 0])", "x.rot90(-1, [1, 0])"),
    ("x.rot90(2)", "x.rot90(2)"), ("x.repeat(2, 1, 3)", "x.repeat(2, 1, 3)"), ("x.repeat(2)", "x.repeat(2)"), ("x.tile(2)", "x.tile(2)"), ("x.tile([2, 0])", "x.tile([2, 0])"),
    ("x.movedim(0, -1)", "x.movedim(0, -1)"), ("x.swapaxes(0, -1)", "x.swapaxes(0, -1)"), ("x.ravel()", "x.ravel()"),
    ("x.split(2)", "x.split(2)"), ("x.split([1, 2], -1)", "x.split([1, 2], -1)"), ("x.chunk(2)", "x.chunk(2)"), ("x.chunk(5, -1)", "x.chunk(5, -1)"),
    ("x.tensorSplit(2)", "x.tensor_split(2)"), ("x.tensorSplit([1, 2], -1)", "x.tensor_split([1, 2], -1)"), ("x.tensorSplit([-1, 9])", "x.tensor_split([-1, 9])"),
    ("x.unbind()", "x.unbind()"), ("x.unbind(-1)", "x.unbind(-1)"), ("x.unfold(-1, 2, 1)", "x.unfold(-1, 2, 1)"), ("x.unfold(0, 3, 2)", "x.unfold(0, 3, 2)"), ("x.unfold(0, 1, 1)", "x.unfold(0, 1, 1)"),
    ("x.tril()", "x.tril()"), ("x.triu()", "x.triu()"), ("x.tril(1)", "x.tril(1)"), ("x.triu(-1)", "x.triu(-1)"), ("x.tril(-9)", "x.tril(-9)"),
    ("x.diagonal()", "x.diagonal()"), ("x.diagonal(1)", "x.diagonal(1)"), ("x.diagonal(-2, -1, 0)", "x.diagonal(-2, -1, 0)"), ("x.diagonal(9)", "x.diagonal(9)"),
    ("x.diagEmbed()", "x.diag_embed()"), ("x.diagEmbed(1, 0, -1)", "x.diag_embed(1, 0, -1)"), ("x.diag()", "x.diag()"), ("x.diag(-1)", "x.diag(-1)"), ("x.trace()", "x.trace()"),
    ("x.diff()", "x.diff()"), ("x.diff(2, 0)", "x.diff(2, 0)"), ("x.diff(9)", "x.diff(9)"), ("x.unflatten(-1, [2, -1])", "x.unflatten(-1, [2, -1])"),
    ("x.pad([1, 2])", "F.pad(x, [1, 2])"), ("x.pad([1, -1, -2, 3], { value: 7 })", "F.pad(x, [1, -1, -2, 3], value=7)"), ("x.pad([-9, 2])", "F.pad(x, [-9, 2])"),
    ("x.countNonzero()", "x.count_nonzero()"), ("x.countNonzero(0)", "x.count_nonzero(0)"), ("x.amin()", "x.amin()"), ("x.amax(-1)", "x.amax(-1)"), ("x.amax([0, 1], { keepdim: true })", "x.amax([0, 1], keepdim=True)"),
    ("x.aminmax({ dim: 0 })", "x.aminmax(dim=0)"), ("x.numel()", "x.numel()"), ("x.dim()", "x.dim()"), ("x.t()", "x.t()"),
    ("x.slice('None, 0')", "x[None, 0]"), ("x.slice('..., None, 0')", "x[..., None, 0]"), ("x.at(null, 0, null)", "x[None, 0, None]"), ("x.reshape([-1, 1])", "x.reshape([-1, 1])"), ("x.reshape([2, -1])", "x.reshape([2, -1])"),
    ("x.maskedFill(x.ne(3), 5)", "x.masked_fill(x.ne(3), 5)"), ("x.maskedFill(x.eq(1), 1.5)", "x.masked_fill(x.eq(1), 1.5)"), ("x.clone().maskedFill_(x.ne(3), 5)", "x.clone().masked_fill_(x.ne(3), 5)"),
    ("x.glu(0)", "F.glu(x, 0)"), ("x.equal(x.clone())", "x.equal(x.clone())"), ("x.equal(x.reshape(-1))", "x.equal(x.reshape(-1))"),
)
cases([name for name in SHAPED if name != "m_complex64"],
    ("jl.threshold(x, 2, 20)", "F.threshold(x, 2, 20)"), ("x.clamp(2)", "x.clamp(2)"), ("x.clamp(null, 2)", "x.clamp(None, 2)"), ("x.clip(1, 3)", "x.clip(1, 3)"), ("x.clamp(2.5)", "x.clamp(2.5)"),
)
for mode in ("reflect", "replicate", "circular"):
    cases(["m_float32", "turned", "odd", "cube", "m_float64"], (f"x.pad([1, 2], {{ mode: '{mode}' }})", f"F.pad(x.reshape(1, -1, x.shape[-1]), [1, 2], mode='{mode}').reshape(*x.shape[:-1], -1)"))
    cases(["cube"], (f"x.pad([1, 2, 2, 1], {{ mode: '{mode}' }})", f"F.pad(x.unsqueeze(0), [1, 2, 2, 1], mode='{mode}').squeeze(0)"),
          (f"x.pad([9, 9], {{ mode: '{mode}' }})", f"F.pad(x, [9, 9], mode='{mode}')"))
cases([*FLOATING, "m_complex64"],
    ("x.std()", "x.std()"), ("x.var(0)", "x.var(0)"), ("x.var(-1, { correction: 0, keepdim: true })", "x.var(-1, correction=0, keepdim=True)"), ("x.std({ dim: [0, -1], correction: 2 })", "x.std([0, -1], correction=2)"),
    ("x.norm()", "x.norm()"), ("x.norm({ p: 1, dim: 0 })", "x.norm(1, 0)"), ("x.norm({ p: Infinity, dim: -1, keepdim: true })", "x.norm(inf, -1, keepdim=True)"), ("x.norm({ p: -Infinity })", "x.norm(-inf)"), ("x.vectorNorm({ p: 3 })", "torch.linalg.vector_norm(x, 3)"), ("x.norm({ p: 0 })", "x.norm(0)"), ("x.norm({ p: 'fro', dim: 0 })", "x.norm('fro', 0)"),
    ("x.nansum()", "x.nansum()"), ("x.nansum(0)", "x.nansum(0)"),
)
# Of infinite elements PyTorch's mean beside a variance is NaN, unlike its mean alone.
cases([name for name in FLOATING if name != "odd"], ("x.stdMean(0)", "torch.std_mean(x, 0)"), ("x.varMean()", "torch.var_mean(x)"))
cases(FLOATING,
    ("x.nanmean()", "x.nanmean()"), ("x.nanmean(-1, { keepdim: true })", "x.nanmean(-1, keepdim=True)"),
    ("x.logsumexp(0)", "x.logsumexp(0)"), ("x.logsumexp([0, -1], { keepdim: true })", "x.logsumexp([0, -1], keepdim=True)"),
    ("x.softmax(0)", "x.softmax(0)"), ("x.softmax(-1)", "x.softmax(-1)"), ("x.logSoftmax(-1)", "x.log_softmax(-1)"), ("x.softmax(0, { dtype: 'float64' })", "x.softmax(0, dtype=torch.float64)"),
    ("x.frexp()", "x.frexp()"), ("x.glu()", "F.glu(x)"), ("x.rsub(2)", "torch.rsub(x, 2)"), ("x.positive()", "x.positive()"),
)
cases(["m_float32", "m_float64", "turned", "odd"], ("x.spacing()", "torch.from_numpy(np.spacing(x.numpy()))"))
cases(["m_int8", "m_int64", "m_uint8"], ("x.bitwiseCount()", "torch.from_numpy(np.bitwise_count(x.numpy())).to(x.dtype)"))
cases(["vector", "whole", "m_int32"], ("jl.outer(x, whole)", "torch.outer(x, whole)"), ("jl.hstack([x, x])", "torch.hstack([x, x])"), ("jl.vstack([x, x])", "torch.vstack([x, x])"), ("jl.concat([x, x], -1)", "torch.concat([x, x], -1)"),
    ("jl.meshgrid([x, whole])", "torch.meshgrid([x, whole], indexing='ij')"), ("jl.meshgrid([x, whole, scalar], { indexing: 'xy' })", "torch.meshgrid([x, whole, scalar], indexing='xy')"), ("jl.broadcastTensors(x.reshape(-1, 1), whole)", "torch.broadcast_tensors(x.reshape(-1, 1), whole)"), ("x.broadcastTo([2, -1])", "x.expand([2, -1])"))

cases(SHAPED,
    ("x.flatten()", "x.flatten()"), ("x.flatten(1)", "x.flatten(1)"), ("x.flatten(-2, -1)", "x.flatten(-2, -1)"), ("x.flatten(0, 1)", "x.flatten(0, 1)"), ("x.squeeze([0, 1])", "x.squeeze([0, 1])"), ("x.narrow(0, 0, 1).squeeze([0, -1])", "x.narrow(0, 0, 1).squeeze([0, -1])"),
    ("x.allclose(x)", "torch.allclose(x, x)"), ("x.allclose(x.clone(), { equalNan: true })", "torch.allclose(x, x.clone(), equal_nan=True)"), ("jl.divmod(x, 2)", "[x.floor_divide(2), x.remainder(2)]"),
    ("jl.outer(x, x)", "torch.outer(x, x)"), ("x.dot(x)", "x.dot(x)"), ("jl.cdist(x, x)", "torch.cdist(x, x)"), ("jl.cdist(x, x, 1)", "torch.cdist(x, x, 1)"), ("jl.cdist(x, x, 3)", "torch.cdist(x, x, 3)"),
    ("jl.einsum('...ij->...ji', x)", "torch.einsum('...ij->...ji', x)"), ("jl.einsum('...i,...i->...', x, x)", "torch.einsum('...i,...i->...', x, x)"), ("jl.einsum('...ij,...jk->...ik', x, x.mT)", "torch.einsum('...ij,...jk->...ik', x, x.mT)"),
)
# Of NaN PyTorch's greatest distance is 0, and the number of different elements NaN.
cases([name for name in SHAPED if name != "odd"], ("jl.cdist(x, x, 0)", "torch.cdist(x, x, 0)"), ("jl.cdist(x, x, Infinity)", "torch.cdist(x, x, inf)"))
cases(["m_int32", "m_float32", "turned", "odd"], ("jl.einsum('i...,i', x, x.slice('..., 0'))", "torch.einsum('i...,i', x, x[..., 0])"))
cases(["m_float16", "m_float32", "m_float64", "turned", "steps", "cube", "vector", "scalar", "none"], ("jl.modf(x)", "[x.frac(), x.trunc()]"))
cases(["m_float32", "turned", "steps", "cube", "none", "m_complex64"],
    ("x.norm(1)", "x.norm(1)"), ("x.norm(2, 0)", "x.norm(2, 0)"), ("x.vectorNorm(3, [0, 1], { keepdim: true })", "torch.linalg.vector_norm(x, 3, [0, 1], keepdim=True)"),
    ("jl.einsum('...ij,jk->...ik', x, x.mT.reshape(x.shape.at(-1), -1))", "torch.einsum('...ij,jk->...ik', x, x.mT.reshape(x.shape[-1], -1))"), ("jl.einsum('...i,...j', x.unsqueeze(0), x.unsqueeze(1))", "torch.einsum('...i,...j', x.unsqueeze(0), x.unsqueeze(1))"),
)
cases(["m_uint8", "m_int32", "m_int64"], ("x.maskedFill(x.gt(2), NaN)", "x.masked_fill(x.gt(2), nan)"), ("x.pad([1, 1], { value: Infinity })", "F.pad(x, [1, 1], value=inf)"))

give("rows", [2, 0, 0], "int64")
give("back", [-1, 0], "int32")
give("wrong", [0, 9, -1], "int64")
give("grid", [0, 2, 1, 1, 0, 2], "int64", [3, 2], "::-1")
give("cells", [1, 0, 2, 2, 1, 0], "int64", [2, 3])
give("nowhere", [], "int64", [0])
INDEXED = ["m_bool", "m_uint8", "m_int32", "m_int64", "m_float16", "m_bfloat16", "m_float32", "m_complex64", "turned", "steps", "odd"]
cases([*INDEXED, "cube", "vector", "scalar", "none", "hollow"],
    ("x.gather(0, cells)", "x.gather(0, cells)"), ("x.gather(-1, grid)", "x.gather(-1, grid)"), ("x.gather(0, rows)", "x.gather(0, rows)"), ("x.gather(0, cells.to('float32'))", "x.gather(0, cells.float())"), ("x.gather(2, cells)", "x.gather(2, cells)"),
    ("x.indexSelect(0, rows)", "x.index_select(0, rows)"), ("x.indexSelect(-1, rows)", "x.index_select(-1, rows)"), ("x.indexSelect(0, wrong)", "x.index_select(0, wrong)"), ("x.indexSelect(0, nowhere)", "x.index_select(0, nowhere)"), ("x.indexSelect(0, cells)", "x.index_select(0, cells)"),
    ("x.take(rows)", "x.take(rows)"), ("x.take(grid)", "x.take(grid)"), ("x.take(back.long())", "x.take(back.long())"), ("x.take(wrong.mul(100))", "x.take(wrong.mul(100))"),
    ("x.takeAlongDim(rows)", "x.take_along_dim(rows)"), ("x.takeAlongDim(rows.reshape(1, 3), 0)", "x.take_along_dim(rows.reshape(1, 3), 0)"), ("x.takeAlongDim(rows.reshape(3, 1), -1)", "x.take_along_dim(rows.reshape(3, 1), -1)"),
    ("x.maskedSelect(x.ne(3))", "x.masked_select(x.ne(3))"), ("x.maskedSelect(x.eq(100))", "x.masked_select(x.eq(100))"), ("x.nonzero()", "x.nonzero()"), ("x.nonzero({ asTuple: true })", "x.nonzero(as_tuple=True)"), ("jl.where(x.ne(3))", "torch.where(x.ne(3))"), ("jl.where(x.ne(3), x, x)", "torch.where(x.ne(3), x, x)"),
    ("x.scatter(0, cells, 7)", "x.scatter(0, cells, 7)"), ("x.scatter(-1, cells, x)", "x.scatter(-1, cells, x)"), ("x.scatter(0, cells, x.flip(0))", "x.scatter(0, cells, x.flip(0))"), ("x.scatter(0, wrong, 1)", "x.scatter(0, wrong, 1)"),
    ("x.scatterAdd(0, cells, x)", "x.scatter_add(0, cells, x)"), ("x.scatterAdd(-1, grid, x)", "x.scatter_add(-1, grid, x)"), ("x.clone().scatterAdd_(0, rows, x)", "x.clone().scatter_add_(0, rows, x)"),
    ("x.indexAdd(0, rows, x)", "x.index_add(0, rows, x)"), ("x.indexAdd(0, rows, x.slice(':3'), { alpha: 2 })", "x.index_add(0, rows, x[:3], alpha=2)"), ("x.indexAdd(-1, rows, x.narrow(-1, 0, 3))", "x.index_add(-1, rows, x.narrow(-1, 0, 3))"),
    ("x.indexCopy(0, rows, x.slice(':3'))", "x.index_copy(0, rows, x[:3])"), ("x.indexFill(0, rows, 7)", "x.index_fill(0, rows, 7)"), ("x.indexFill(-1, back.long().remainder(2), 7)", "x.index_fill(-1, back.long().remainder(2), 7)"),
    *((f"x.scatterReduce({d}, cells, x, '{how}', {{ includeSelf: {str(own).lower()} }})", f"x.scatter_reduce({d}, cells, x, '{how}', include_self={own})") for d in (0, -1) for how in ("sum", "prod", "mean", "amax", "amin") for own in (True, False)),
)


def put(x, index, value):
    copy = x.clone()
    copy[index] = value
    return copy


cases([*INDEXED, "cube", "vector", "scalar", "none", "hollow"],
    ("x.isin(x.reshape(-1).slice(':2'))", "torch.isin(x, x.reshape(-1)[:2])"), ("x.isin(rows)", "torch.isin(x, rows)"), ("x.isin(jl.tensor([3.5, NaN]), { invert: true })", "torch.isin(x, torch.tensor([3.5, nan]), invert=True)"), ("x.isin(nowhere)", "torch.isin(x, nowhere)"), ("x.isin(3)", "torch.isin(x, 3)"),
    ("x.repeatInterleave(2)", "x.repeat_interleave(2)"), ("x.repeatInterleave(3, -1)", "x.repeat_interleave(3, -1)"), ("x.repeatInterleave(rows, 0)", "x.repeat_interleave(rows, 0)"), ("x.repeatInterleave(-1)", "x.repeat_interleave(-1)"),
    ("x.at(rows)", "x[rows]"), ("x.at(back)", "x[back.long()]"), ("x.at(wrong)", "x[wrong]"), ("x.at(nowhere)", "x[nowhere]"), ("x.at(cells)", "x[cells]"), ("x.at(rows, rows)", "x[rows, rows]"), ("x.at('...', back)", "x[..., back.long()]"), ("x.at(':', rows)", "x[:, rows]"),
    ("x.at(rows, null)", "x[rows, None]"), ("x.at(rows, '::2')", "x[rows, ::2]"), ("x.at(0, rows)", "x[0, rows]"), ("x.at(rows.reshape(3, 1), back)", "x[rows.reshape(3, 1), back.long()]"), ("x.at(back, null, back)", "x[back.long(), None, back.long()]"), ("x.at(back, 0, back)", "x[back.long(), 0, back.long()]"), ("x.at(back, ':', back)", "x[back.long(), :, back.long()]"),
    ("x.at(x.ne(3))", "x[x.ne(3)]"), ("x.at(x.reshape(x.shape[0], -1).ne(3).any(1))", "x[x.reshape(x.shape[0], -1).ne(3).any(1)]"), ("x.at(jl.tensor([true, false]))", "x[torch.tensor([True, False])]"),
    ("x.clone().set(rows, 7)", "put(x, rows, 7)"), ("x.clone().set([rows, '::2'], 7)", "put(x, (rows, slice(None, None, 2)), 7)"), ("x.clone().set(x.ne(3), 7)", "put(x, x.ne(3), 7)"), ("x.clone().set('..., 0', 7)", "put(x, (..., 0), 7)"), ("x.clone().set(back, x.at(back).flip(0))", "put(x, back.long(), x[back.long()].flip(0))"), ("x.clone().set([back, ':', back], x.at(0, 0, 0))", "put(x, (back.long(), slice(None), back.long()), x[0, 0, 0])"), ("x.clone().set(wrong, 1)", "put(x, wrong, 1)"), ("x.clone().set(rows, x.reshape(-1))", "put(x, rows, x.reshape(-1))"),
    ("x.clone().indexPut_([rows], x.at(rows), { accumulate: true })", "x.clone().index_put_([rows], x[rows], accumulate=True)"), ("x.clone().indexPut_([back], x.at(0))", "x.clone().index_put_([back.long()], x[0])"), ("x.clone().indexPut_([back, rows.reshape(3, 1)], x.reshape(-1).at(0))", "x.clone().index_put_([back.long(), rows.reshape(3, 1)], x.reshape(-1)[0])"),
)


give("wide", signed("float32", 20) , "float32", [4, 5])
give("batch", [v / 3 for v in VALUES[:24]], "float32", [2, 1, 4, 3])
cases(["m_uint8", "m_int8", "m_int32", "m_int64", "m_float16", "m_bfloat16", "m_float32", "m_float64", "m_complex64", "m_bool", "turned", "steps", "odd", "none", "scalar", "vector", "cube"],
    ("x.matmul(x.T)", "x.matmul(x.mT if x.ndim > 1 else x)"), ("x.mm(x.T)", "x.mm(x.T)"), ("x.matmul(x.reshape(-1).narrow(0, 0, x.shape[x.ndim - 1]))", "x.matmul(x.reshape(-1).narrow(0, 0, x.shape[-1]))"), ("x.mv(wide.at(':', 0))", "x.mv(wide[:, 0])"), ("x.reshape(-1).dot(x.reshape(-1))", "x.reshape(-1).dot(x.reshape(-1))"),
    ("x.matmul(wide)", "x.matmul(wide)"), ("batch.matmul(x)", "batch.matmul(x)"), ("x.bmm(x)", "x.bmm(x)"), ("x.unsqueeze(0).bmm(x.T.unsqueeze(0))", "x.unsqueeze(0).bmm(x.mT.unsqueeze(0))"), ("jl.addmm(x.at(0), x.T, x, { alpha: 2, beta: 3 })", "torch.addmm(x[0], x.mT, x, alpha=2, beta=3)"),
    ("x.tensordot(x)", "torch.tensordot(x, x)"), ("x.tensordot(x, [[0], [0]])", "torch.tensordot(x, x, [[0], [0]])"), ("x.tensordot(x, 0)", "torch.tensordot(x, x, 0)"),
)

cases(["m_bool", "m_uint8", "m_int32", "m_float16", "m_float32", "turned", "steps", "odd", "cube", "none"],
    ("x.max(0, { indices: true })", "(lambda i: [x.take_along_dim(i, 0).squeeze(0), i.squeeze(0)])((x.long() if x.dtype == torch.bool else x).argmax(0, keepdim=True))"), ("x.min(-1, { indices: true, keepdim: true })", "(lambda i: [x.take_along_dim(i, -1), i])((x.long() if x.dtype == torch.bool else x).argmin(-1, keepdim=True))"),
    ("x.diff(1, -1, { prepend: x, append: x.narrow(-1, 0, 1) })", "x.diff(prepend=x, append=x.narrow(-1, 0, 1))"),
    ("jl.einsum('ij->ji', x)", "torch.einsum('ij->ji', x)"), ("jl.einsum('ij->', x)", "torch.einsum('ij->', x.double() if x.dtype == torch.float16 else x).to(x.dtype)"),
    ("x.clone().zero_()", "x.clone().zero_()"), ("x.contiguous().viewAs(x.reshape(-1))", "x.reshape(-1)"), ("x.mT", "x.mT"),
)
cases(["m_int32", "m_float32", "turned", "steps", "m_complex64", "none"],
    ("jl.einsum('ij,kj->ik', x, x)", "torch.einsum('ij,kj->ik', x, x)"), ("jl.einsum('ij,ij->i', x, x)", "torch.einsum('ij,ij->i', x, x)"), ("jl.einsum('ij,kl->jilk', x, x)", "torch.einsum('ij,kl->jilk', x, x)"),
    ("jl.einsum('ij,j,ik->k', x, x.at(0), x)", "torch.einsum('ij,j,ik->k', x, x[0], x)"), ("jl.einsum('ij , jk', x, x.T)", "torch.einsum('ij , jk', x, x.mT)"), ("jl.einsum('ii->i', x.matmul(x.T))", "torch.einsum('ii->i', x.matmul(x.mT))"), ("jl.einsum('ij,jk->ik', x, x)", "torch.einsum('ij,jk->ik', x, x)"),
)


subject("tensor-scans")
RAGGED = [nan, inf, 0.0, -0.0, nan, -inf, 1, 1, -2, inf, -0.0, 3]
give("ragged", RAGGED, "float32", [3, 4])
give("ragged16", RAGGED, "float16", [4, 3], "T")
give("long", [((i * 7919) % 613) / 16 - 19 for i in range(4200)], "float64", [4200])
give("rowed", [((i * 7919) % 613) - 300 for i in range(2 * 700 * 3)], "int32", [2, 700, 3])
give("edges", [-2.0, 1.0, 1.0, 3.0, 7.0], "float32")
give("whole5", [0, 1, 1, 3, 1], "int64")
give("weight", [0.5, 1, 2, -1, 4], "float32")
REALS = ["m_bool", *(f"m_{dtype}" for dtype in REAL), "turned", "steps", "odd", "ragged", "ragged16", "cube", "vector", "scalar", "none", "hollow"]
SCANNED = [*REALS, "m_complex64", "long", "rowed"]
cases(SCANNED,
    ("x.cumsum(0)", "x.cumsum(0)"), ("x.cumsum(-1)", "x.cumsum(-1)"), ("x.cumsum(0, { dtype: 'float64' })", "x.cumsum(0, dtype=torch.float64)"), ("x.cumsum(3)", "x.cumsum(3)"),
    ("x.cummax(0)", "x.cummax(0)"), ("x.cummin(-1)", "x.cummin(-1)"), ("x.slice('::-1').cumsum(0)", "x.flip(0).cumsum(0)"),
)
cases([*REALS, "m_complex64"], ("x.cumprod(-1)", "x.cumprod(-1)"))
cases([*REALS, "long", "rowed"], ("x.logcumsumexp(-1)", "x.logcumsumexp(-1)"), ("x.logcumsumexp(0)", "x.logcumsumexp(0)"))
give("signs", [((i * 7919) % 613) - 300 for i in range(120)], "int16", [3, 40])
give("halves", [(((i * 7919) % 613) - 300) / 8 for i in range(200)], "float16", [100, 2])
give("brains", [(((i * 7919) % 61) - 30) / 8 for i in range(80)], "bfloat16", [80])
for name in ("uint16", "uint32", "uint64"):
    give(f"u_{name}", [(i * 7919) % 613 for i in range(40)], name, [40])
subject("tensor-order")
SORTED = [*REALS, "long", "rowed", "signs", "halves", "brains", "u_uint16", "u_uint32", "u_uint64"]
cases([*SORTED, "m_complex64"],
    ("x.sort()", "x.sort(stable=True)"), ("x.sort(0, { descending: true })", "x.sort(dim=0, stable=True, descending=True)"), ("x.argsort(-1)", "x.argsort(dim=-1, stable=True)"), ("x.sort(5)", "x.sort(5)"),
    ("x.topk(2, -1).values", "x.topk(2, -1).values"), ("x.topk(1, 0, { largest: false }).values", "x.topk(1, 0, largest=False).values"), ("x.topk(9999)", "x.topk(9999)"), ("x.reshape(-1).topk(0, 0)", "x.reshape(-1).topk(0, 0)"),
    ("x.kthvalue(2).values", "x.kthvalue(2).values"), ("x.kthvalue(1, 0, { keepdim: true }).values", "x.kthvalue(1, 0, keepdim=True).values"), ("x.kthvalue(0)", "x.kthvalue(0)"),
)
cases([*REALS, "rowed", "long", "u_uint16", "signs"],
    ("x.unique()", "x.unique()"), ("x.unique({ returnInverse: true, returnCounts: true })", "x.unique(return_inverse=True, return_counts=True)"),
    ("x.uniqueConsecutive({ returnInverse: true, returnCounts: true })", "x.unique_consecutive(return_inverse=True, return_counts=True)"), ("x.uniqueConsecutive()", "x.unique_consecutive()"),
)
give("pairs", [2, 1, 1, 3, 2, 1, 1, 3, 1, 1], "int32", [5, 2])
cases(["pairs", "m_float32", "cube"],
    ("x.unique({ dim: 0, returnInverse: true, returnCounts: true })", "x.unique(dim=0, return_inverse=True, return_counts=True)"), ("x.unique({ dim: 1 })", "x.unique(dim=1)"), ("x.uniqueConsecutive({ dim: 0 })", "x.unique_consecutive(dim=0)"),
)
cases([*REALS, "rowed", "long"],
    ("edges.searchsorted(x.to('float32'))", "torch.searchsorted(edges, x.float())"), ("x.to('float32').bucketize(edges, { right: true })", "torch.bucketize(x.float(), edges, right=True)"),
    ("x.reshape(-1).sort().values.searchsorted(x)", "torch.searchsorted(x.reshape(-1).sort()[0], x)"),
)
cases(["cube", "m_int32", "rowed"], ("x.sort().values.searchsorted(x, { side: 'right' })", "torch.searchsorted(x.sort()[0], x, side='right')"), ("edges.reshape(1, -1).searchsorted(x)", "torch.searchsorted(edges.reshape(1, -1), x)"))
subject("tensor-order")
cases(["m_int32", "m_float32", "cube", "vector", "turned"], ("x.searchsorted(x, { sorter: x.argsort(-1) })", "torch.searchsorted(x, x, sorter=x.argsort(dim=-1, stable=True))"))
subject("tensor-statistics")
cases(["vector", "edges"], ("x.quantile([0.25, 0.5])", "x.quantile(torch.tensor([0.25, 0.5]))"))
cases(["none"], ("x.histogram(3)", "torch.histogram(x, 3)"))
cases(["whole5", "whole", "nowhere", "m_uint8", "vector"],
    ("x.bincount()", "x.bincount()"), ("x.bincount({ minlength: 7 })", "x.bincount(minlength=7)"), ("x.bincount({ weights: weight.slice(`:${x.size}`) })", "x.bincount(weights=weight[:x.numel()])"), ("x.bincount({ weights: x })", "x.bincount(weights=x)"),
)
cases(["m_float32", "m_float64", "turned", "steps", "cube", "vector", "scalar", "long", "edges"],
    ("x.histc(5)", "x.histc(5)"), ("x.histc(4, -2, 3)", "x.histc(4, -2, 3)"), ("x.histc(0)", "x.histc(0)"), ("x.histogram(6)", "torch.histogram(x, 6)"), ("x.histogram(4, { range: [-2, 3], density: true })", "torch.histogram(x, 4, range=(-2, 3), density=True)"),
    ("x.histogram(edges.unique().to(x.dtype.name))", "torch.histogram(x, edges.unique().to(x.dtype))"), ("x.histogram(3, { weight: x.mul(2) })", "torch.histogram(x, 3, weight=x.mul(2))"),
)
cases(["odd", "none"], ("x.histc(5, -4, 4)", "x.histc(5, -4, 4)"))
cases([name for name in REALS if name != "hollow"], ("x.median()", "x.median()"), ("x.median(0).values", "x.median(0)[0]"), ("x.median(-1, { keepdim: true }).values", "x.median(-1, keepdim=True)[0]"), ("x.nanmedian()", "x.nanmedian()"), ("x.nanmedian(-1).values", "x.nanmedian(-1)[0]"),
)
cases([name for name in REALS if name not in ("odd", "ragged", "ragged16")], ("x.mode().values", "x.mode()[0]"), ("x.mode(0, { keepdim: true }).values", "x.mode(0, keepdim=True)[0]"),
)
cases(["m_float32", "m_float64", "turned", "steps", "odd", "ragged", "cube", "vector", "scalar", "long", "none", "m_int32"],
    ("x.quantile(0.3)", "x.quantile(0.3)"), ("x.quantile(0.75, 0)", "x.quantile(0.75, 0)"), ("x.quantile(jl.tensor([0, 0.5, 0.9], { dtype: x.dtype.name }), -1, { keepdim: true })", "x.quantile(torch.tensor([0, 0.5, 0.9], dtype=x.dtype), -1, keepdim=True)"),
    *((f"x.quantile(0.4, -1, {{ interpolation: '{how}' }})", f"x.quantile(0.4, -1, interpolation='{how}')") for how in ("lower", "higher", "midpoint", "nearest")),
    ("x.nanquantile(0.3, 0)", "x.nanquantile(0.3, 0)"), ("x.nanquantile(0.6)", "x.nanquantile(0.6)"), ("x.quantile(1.5)", "x.quantile(1.5)"),
)
subject("tensor-order")
cases(["rowed", "cube"], ("x.sort(1)", "x.sort(dim=1, stable=True)"))
subject("tensor-scans")
cases(["rowed", "cube", "turned"], ("x.cumsum(1)", "x.cumsum(1)"), ("x.cummax(1)", "x.cummax(1)"))


def outcome(value):
    if isinstance(value, torch.Tensor):
        return written(value)
    if isinstance(value, (tuple, list)):
        return [outcome(one) for one in value]
    return {"value": value}


def run(name, theirs):
    scope = {**TENSORS, "x": TENSORS[name], "torch": torch, "np": np, "put": put, "F": F, "inf": inf, "nan": nan}
    try:
        return outcome(eval(theirs, scope))
    except (RuntimeError, IndexError, NotImplementedError, ValueError, TypeError) as error:
        return {"error": str(error).split("\n")[0][:120]}


for file, lines in FILES.items():
    rows = [{"x": name, "call": ours, "result": run(name, theirs)} for name, ours, theirs in lines]
    words = set(re.findall(r"\w+", " ".join(f"{name} {ours}" for name, ours, _ in lines)))
    inputs = {name: value for name, value in INPUTS.items() if name in words}
    text = json.dumps({"torch": torch.__version__, "inputs": inputs, "cases": rows}, separators=(",", ":"))
    path = Path(__file__).parent.parent / "test" / "data" / f"{file}.json.gz"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(file, len(rows), "cases,", path.stat().st_size, "bytes")
