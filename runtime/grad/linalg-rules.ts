// How cotangents go back through factorizations and solutions of equations, with PyTorch's formulas (FunctionsManual.cpp) and those
// of Giles, An extended collection of matrix derivative results (2008), and Murray, Differentiation of the Cholesky decomposition
// (2016). The routines take and give transposed matrices.
import type { OpaqueOperation } from "../launch/operation.js";
import { eigh, svd } from "../linalg/decompositions.js";
import type { MatrixRule } from "../linalg/matrix-step.js";
import { luSolve, solve, solveTriangular } from "../linalg/systems.js";
import { eye, zeros } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import type { Kept } from "./kept.js";
import { type Active, type Rule, refusal } from "./rule.js";
import { send } from "./send.js";

/** A step of a routine: what is kept of it, and where cotangents go. */
interface Step {
  readonly use: MatrixRule;
  readonly inputs: readonly Kept[];
  readonly outputs: readonly Kept[];
  readonly active: readonly (Active | undefined)[];
}

type Cotangents = readonly (Tensor | undefined)[];

/** The rule of steps of a routine. */
const ruleOf =
  (pull: (step: Step, cotangents: Cotangents) => void): Rule<OpaqueOperation> =>
  (recorder, { name, definition, inputs: given }, active) => {
    const inputs = given.map((one) => recorder.keep(one));
    return (results) => {
      const use = definition.rule as MatrixRule;
      const step = { use, inputs, outputs: results.map((one) => recorder.keep(one)), active };
      const refused = whyNot(step);
      if (refused !== undefined) return refusal(name, refused);
      return (cotangents) => pull(step, cotangents);
    };
  };

function whyNot({ use: { by: routine, settings }, inputs, active }: Step): string | undefined {
  const [columns, rows] = (inputs[0] as Kept).window.shape.slice(-2) as [number, number];
  const isWide = rows < columns;
  if (routine === "luSolve" && active[1])
    return "that by the factors is not known; differentiate jl.linalg.solve";
  if (routine === "lu" && rows !== columns) return "that of a matrix that is not square is not known";
  if (routine === "qr" && isWide) return "that of a matrix with more columns than rows is not known";
  if (routine === "qr" && settings.vectors === "none") return "it needs Q; use the mode reduced";
  if (routine === "qr" && settings.vectors === "full" && rows !== columns)
    return "the columns of Q beyond those of the matrix are arbitrary; use the mode reduced";
  return undefined;
}

const adjoint = (x: Tensor): Tensor => (x.dtype.kind === "complex" ? x.mT.conj() : x.mT);
const conjugate = (x: Tensor): Tensor => (x.dtype.kind === "complex" ? x.conj() : x);
const solved = (
  a: Tensor,
  b: Tensor,
  upper: boolean,
  more: { left?: boolean; unitriangular?: boolean } = {},
) => solveTriangular(a, b, { upper, ...more });

function identityOf({ shape, dtype, device }: Tensor): Tensor {
  const rows = shape.at(-1) as number;
  return eye(rows, rows, { dtype: dtype.name, device: device.name });
}

/** A matrix with half of its diagonal. */
function halved(x: Tensor): Tensor {
  return x.sub(x.mul(identityOf(x)).mul(0.5));
}

/** A vector for each matrix as a diagonal. */
function diagonal(values: Tensor, like: Tensor): Tensor {
  return identityOf(like).mul(values.unsqueeze(-1));
}

/** Sends the cotangent of the matrix that an input holds transposed. */
function sendTurned(to: Active | undefined, g: Tensor): void {
  if (to) send(to, g.mT);
}

const pulls: Readonly<Record<MatrixRule["by"], (step: Step, cotangents: Cotangents) => void>> = {
  solve({ inputs, outputs, active }, [given]) {
    if (given === undefined) return;
    const [a, x] = [matrix(inputs[1]), matrix(outputs[0])];
    const g = solve(adjoint(a), given.mT);
    sendTurned(active[0], g);
    if (active[1]) sendTurned(active[1], g.matmul(adjoint(x)).neg());
  },

  luSolve({ use, inputs, active }, [given]) {
    if (given === undefined) return;
    const { turned = "none" } = use.settings;
    const [factors, pivots] = [matrix(inputs[1]), (inputs[2] as Kept).tensor() as Tensor<"int32">];
    const by = (g: Tensor, isAdjoint: boolean) => luSolve(factors, pivots, g, { adjoint: isAdjoint });
    const g = given.mT;
    sendTurned(
      active[0],
      turned === "transposed" ? conjugate(by(conjugate(g), false)) : by(g, turned === "none"),
    );
  },

  triangular({ use, inputs, outputs, active }, [given]) {
    if (given === undefined) return;
    const { turned = "none", isUpper = false, isUnit = false } = use.settings;
    const [own, x] = [matrix(inputs[1]), matrix(outputs[0])];
    const factor = turned === "none" ? own : turned === "transposed" ? own.mT : adjoint(own);
    const upper = turned === "none" ? isUpper : !isUpper;
    const g = solved(adjoint(factor), given.mT, !upper, { unitriangular: isUnit });
    sendTurned(active[0], g);
    if (active[1] === undefined) return;
    const all = g.matmul(adjoint(x)).neg();
    const part = upper ? all.triu(isUnit ? 1 : 0) : all.tril(isUnit ? -1 : 0);
    sendTurned(active[1], turned === "none" ? part : turned === "transposed" ? part.mT : adjoint(part));
  },

  cholesky({ use, outputs, active }, [given]) {
    if (given === undefined) return;
    const factor = matrix(outputs[0]);
    const { isUpper = false } = use.settings;
    const [lower, g] = isUpper ? [adjoint(factor.triu()), adjoint(given.mT)] : [factor.tril(), given.mT];
    const inner = halved(adjoint(lower).matmul(g).tril());
    const left = solved(adjoint(lower), inner, true);
    const both = solved(lower, left, false, { left: false });
    sendTurned(active[0], both.add(adjoint(both)).mul(0.5));
  },

  lu({ outputs, active }, [given]) {
    if (given === undefined) return;
    const [packed, pivots] = [matrix(outputs[0]), (outputs[1] as Kept).tensor() as Tensor<"int32">];
    const identity = identityOf(packed);
    const lower = packed.tril(-1).add(identity);
    // As PyTorch's determinant of a singular matrix: the derivative exists, though not by this formula.
    const isZero = packed.eq(0).logicalAnd(identity.ne(0) as never);
    const upper = isZero
      .where(packed.dtype.bytes > 8 || packed.dtype.name === "float64" ? 2 ** -52 : 2 ** -23, packed)
      .triu();
    const g = given.mT;
    const inner = adjoint(lower)
      .matmul(g.tril(-1))
      .tril(-1)
      .add(g.triu().matmul(adjoint(upper)).triu());
    const right = solved(adjoint(upper), inner, false, { left: false });
    const both = solved(adjoint(lower), right, true, { unitriangular: true });
    const one = identity.expand([...both.shape]);
    const permutation = luSolve(one, pivots, one).mT;
    sendTurned(active[0], permutation.matmul(both));
  },

  qr({ outputs, active }, [ofR, ofQ]) {
    const [r, q] = [matrix(outputs[0]), matrix(outputs[1])];
    const count = r.shape.at(-1) as number;
    const R = r.narrow(-2, 0, count).triu();
    const gR = ofR?.mT.narrow(-2, 0, count).triu();
    const gQ = ofQ?.mT;
    const none = zeros([...R.shape], { dtype: R.dtype.name, device: R.device.name });
    const both = (gR?.matmul(adjoint(R)) ?? none).sub(gQ ? adjoint(q).matmul(gQ) : none).triu();
    const inner = q.matmul(halved(both.add(adjoint(both))));
    const right = gQ ? inner.add(gQ) : inner;
    sendTurned(active[0], solved(adjoint(R), right, false, { left: false }));
  },

  eigh({ use, inputs, outputs, active }, cotangents) {
    const { isUpper = false, vectors = "none" } = use.settings;
    const hasVectors = vectors !== "none";
    const [ofVectors, ofValues] = hasVectors ? cotangents : [undefined, cotangents[0]];
    const known = hasVectors
      ? { eigenvectors: matrix(outputs[0]), eigenvalues: (outputs[1] as Kept).tensor() }
      : eigh(matrix(inputs[0]), { UPLO: isUpper ? "U" : "L" });
    const { eigenvectors, eigenvalues } = known;
    const identity = identityOf(eigenvectors);
    let inner = ofValues ? diagonal(ofValues, eigenvectors) : identity.mul(0);
    if (ofVectors) {
      const gaps = eigenvalues.unsqueeze(-2).sub(eigenvalues.unsqueeze(-1));
      const off = adjoint(eigenvectors).matmul(ofVectors.mT);
      const isOwn = identity.ne(0);
      inner = inner.add(isOwn.where(0, off.div(isOwn.where(1, gaps))));
    }
    sendTurned(active[0], eigenvectors.matmul(inner).matmul(adjoint(eigenvectors)));
  },

  svd({ use, inputs, outputs, active }, [ofU, ofS, ofVh]) {
    const { vectors = "none" } = use.settings;
    const isThin = vectors === "thin";
    const found = isThin
      ? { U: matrix(outputs[0]), S: (outputs[1] as Kept).tensor(), Vh: matrix(outputs[2]) }
      : svd(matrix(inputs[0]), { fullMatrices: false });
    const { U, S, Vh } = found;
    const isSquare = U.shape.at(-2) === Vh.shape.at(-1);
    const used = vectors !== "none" && (ofU !== undefined || ofVh !== undefined);
    if (used && !isThin && !isSquare)
      refusal("linalg.svd", "the other columns of U and V are arbitrary; use { fullMatrices: false }")([]);
    const [gU, gV] = used ? [ofU?.mT, ofVh && adjoint(ofVh.mT)] : [];
    const V = adjoint(Vh);
    const identity = identityOf(S.unsqueeze(-1).mul(S.unsqueeze(-2)));
    const isOwn = identity.ne(0);
    const skew = (x: Tensor) => x.sub(adjoint(x));
    const squares = S.square();
    const gaps = isOwn.where(1, squares.unsqueeze(-2).sub(squares.unsqueeze(-1)));
    let inner = ofS ? identity.mul(ofS.unsqueeze(-1)) : identity.mul(0);
    if (gU) inner = inner.add(skew(adjoint(U).matmul(gU)).div(gaps).mul(S.unsqueeze(-2)));
    if (gV) inner = inner.add(skew(adjoint(V).matmul(gV)).div(gaps).mul(S.unsqueeze(-1)));
    if (gU && U.dtype.kind === "complex") {
      const phase = skew(adjoint(U).matmul(gU))
        .mul(identity as never)
        .div(S.mul(2).unsqueeze(-2));
      inner = inner
        .sub(
          skew(adjoint(U).matmul(gU))
            .mul(identity as never)
            .mul(S.unsqueeze(-2)),
        )
        .add(phase);
      if (gV)
        inner = inner.sub(
          skew(adjoint(V).matmul(gV))
            .mul(identity as never)
            .mul(S.unsqueeze(-1)),
        );
    }
    let result = U.matmul(inner.to(U.dtype.name)).matmul(Vh);
    const inverse = S.reciprocal();
    if (gU && (U.shape.at(-2) as number) > (U.shape.at(-1) as number)) {
      const rest = gU.sub(U.matmul(adjoint(U).matmul(gU)));
      result = result.add(rest.mul(inverse.unsqueeze(-2)).matmul(Vh));
    }
    if (gV && (V.shape.at(-2) as number) > (V.shape.at(-1) as number)) {
      const rest = gV.sub(V.matmul(adjoint(V).matmul(gV)));
      result = result.add(U.matmul(adjoint(rest.mul(inverse.unsqueeze(-2)))));
    }
    sendTurned(active[0], result);
  },
};

function matrix(kept: Kept | undefined): Tensor {
  return (kept as Kept).tensor().mT;
}

/** The rules of the steps of routines. */
export const matrixRules: Readonly<Record<string, Rule<OpaqueOperation>>> = Object.fromEntries(
  Object.entries(pulls).map(([routine, pull]) => [routine, ruleOf(pull)]),
);
