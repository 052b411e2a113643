// What jl.linalg must give by either way of computing: PyTorch's results, small residuals, and errors that say what is wrong.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { useAnyDevice } from "./device.js";
import { computeBy, golden, largest, type Way } from "./linalg.js";
import { refusal } from "./refusal.js";
import { epsilonOf, expectWritten, tensorOf } from "./written.js";

type Call = (...args: unknown[]) => unknown;
const functions = jl.linalg as unknown as Record<string, Call>;

/** Runs the tests by one way of computing. */
export function testLinalg(way: Way, isPossible: boolean, dtypes: readonly jl.DTypeName[]): void {
  beforeAll(async () => {
    await useAnyDevice();
    computeBy(way);
    jl.manualSeed(7);
  });

  describe.runIf(isPossible)(`by ${way}${isPossible ? "" : ", which was not found here"}`, () => {
    describe.each(golden.tables.filter(({ dtype }) => dtypes.includes(dtype)))(
      "PyTorch's results of $dtype",
      ({ dtype, inputs, cases }) => {
        test.each(
          cases.map(
            (one) => [`${one.name}(${[...one.inputs, one.more].filter(Boolean).join(", ")})`, one] as const,
          ),
        )("%s", (_, { name, inputs: names, more, results }) => {
          const given = names.map((one) => tensorOf(inputs[one] as never));
          const further = more ? (new Function(`return [${more}];`)() as unknown[]) : [];
          const found = functions[name]!(...given, ...further);
          if (way === "cuSOLVER" && name === "lu" && dtype.startsWith("complex")) {
            // Which of two complex numbers is larger is measured otherwise there, so rows may be exchanged otherwise.
            const { P, L, U } = found as jl.linalg.Lu<"complex128">;
            const back = P.matmul(L as never).matmul(U as never) as jl.Tensor;
            expectWritten(back, inputs[names[0] as string] as never, epsilonOf(dtype) * 400);
            return;
          }
          for (const [key, wanted] of Object.entries(results)) {
            const result = (key === "" ? found : (found as Record<string, unknown>)[key]) as jl.Tensor;
            if (name !== "matrixRank") expect(result.dtype.name, key).toBe(wanted.dtype);
            const condition = names.includes("hilbert") && name === "solve" ? 16e3 : 400;
            expectWritten(result, wanted, epsilonOf(dtype) * condition, key);
          }
        });
      },
    );

    describe.each(dtypes)("decompositions of %s", (dtype) => {
      const random = (...shape: number[]) => {
        const real = () => jl.randn(shape, { dtype: "float64" });
        const isComplex = dtype.startsWith("complex");
        return (isComplex ? jl.complex(real(), real()) : real()).to(dtype);
      };
      const adjoint = (x: jl.Tensor) => (dtype.startsWith("complex") ? x.mT.conj() : x.mT);
      const bound = (x: jl.Tensor) => 20 * epsilonOf(dtype) * Math.max(...x.shape.slice(-2)) * largest(x);
      const isClose = (x: jl.Tensor, y: jl.Tensor, what: string) => {
        expect(largest(x.sub(y)), what).toBeLessThanOrEqual(Math.max(bound(y), bound(jl.ones(y.shape))));
      };
      const isOrthonormal = (x: jl.Tensor, what: string) => {
        const columns = x.shape.at(-1) as number;
        const one = jl.eye(columns, columns, { dtype }).expand([...x.shape.slice(0, -2), columns, columns]);
        expect(largest(adjoint(x).matmul(x).sub(one)), what).toBeLessThanOrEqual(
          20 * epsilonOf(dtype) * Math.max(...x.shape.slice(-2)),
        );
      };
      const shapes = [
        [1, 1],
        [2, 2],
        [7, 7],
        [9, 4],
        [4, 9],
        [3, 5, 2],
        [2, 3, 6, 6],
        [40, 33],
      ];
      const squares = [
        [1, 1],
        [3, 5, 5],
        [2, 2, 8, 8],
        [33, 33],
      ];

      test.each(shapes.map((shape) => [shape.join(" x "), shape] as const))("svd of %s", (_, shape) => {
        const a = random(...shape);
        for (const fullMatrices of [false, true]) {
          const { U, S, Vh } = jl.linalg.svd(a, { fullMatrices });
          const k = S.shape.at(-1) as number;
          const product = U.narrow(-1, 0, k)
            .mul(S.unsqueeze(-2))
            .matmul(Vh.narrow(-2, 0, k) as never);
          isClose(product, a, "U S Vh");
          isOrthonormal(U, "U");
          isOrthonormal(adjoint(Vh), "V");
          expect(U.shape.at(-1)).toBe(fullMatrices ? shape.at(-2) : k);
          expect(Vh.shape.at(-2)).toBe(fullMatrices ? shape.at(-1) : k);
          const ordered = [...S.reshape([-1, k])].map((row) => [...row.data()].map(Number));
          for (const row of ordered) expect(row).toEqual([...row].sort((x, y) => y - x));
        }
      });
      test("svd of matrices without full rank", () => {
        const low = random(6, 2).matmul(random(2, 5));
        for (const a of [low, low.mT, jl.zeros([4, 3], { dtype }), jl.ones([3, 3], { dtype })]) {
          const { U, S, Vh } = jl.linalg.svd(a);
          const k = S.shape[0] as number;
          isClose(
            U.narrow(-1, 0, k)
              .mul(S)
              .matmul(Vh.narrow(-2, 0, k) as never),
            a,
            "U S Vh",
          );
          isOrthonormal(U, "U");
          isOrthonormal(adjoint(Vh), "V");
        }
      });
      test.each(squares.map((shape) => [shape.join(" x "), shape] as const))("eigh of %s", (_, shape) => {
        const given = random(...shape);
        const a = given.add(adjoint(given));
        for (const UPLO of ["L", "U"] as const) {
          // The other triangle is not read.
          const half = UPLO === "L" ? a.tril() : a.triu();
          const { eigenvalues, eigenvectors } = jl.linalg.eigh(half, { UPLO });
          isOrthonormal(eigenvectors, "eigenvectors");
          isClose(
            eigenvectors.mul(eigenvalues.unsqueeze(-2)).matmul(adjoint(eigenvectors) as never),
            a,
            "V diag(w) V^H",
          );
        }
      });
      test.each(shapes.map((shape) => [shape.join(" x "), shape] as const))("lu and qr of %s", (_, shape) => {
        const a = random(...shape);
        const { P, L, U } = jl.linalg.lu(a);
        isClose(P.matmul(L as never).matmul(U as never), a, "P L U");
        for (const mode of ["reduced", "complete"] as const) {
          const { Q, R } = jl.linalg.qr(a, { mode });
          isClose(Q.matmul(R as never), a, "Q R");
          isOrthonormal(Q, "Q");
        }
      });
      test("luSolve with each side, adjoint or not, and broadcast batches", () => {
        const [a, b] = [random(2, 1, 5, 5), random(3, 5, 2)];
        const { LU, pivots } = jl.linalg.luFactor(a);
        const x = jl.linalg.luSolve(LU, pivots, b);
        expect(x.shape).toEqual([2, 3, 5, 2]);
        isClose(a.matmul(x as never), b.expand([2, 3, 5, 2]), "A x");
        const y = jl.linalg.luSolve(LU, pivots, b, { adjoint: true });
        isClose(adjoint(a).matmul(y as never), b.expand([2, 3, 5, 2]), "A^H x");
        const left = jl.linalg.luSolve(LU, pivots, b.mT, { left: false });
        isClose(left.matmul(a as never), b.mT.expand([2, 3, 2, 5]), "x A");
      });
      test("operands that are transposed, cut and backwards", () => {
        const wide = random(3, 12, 12);
        const a = wide.slice(":, ::2, 1::2").mT;
        const b = random(3, 4, 6).mT.slice(":, ::-1");
        isClose(a.matmul(jl.linalg.solve(a, b) as never), b, "A x");
        const lower = jl.linalg.solveTriangular(a, b, { upper: false });
        isClose(
          a
            .tril()
            .matmul(lower as never)
            .div(largest(lower)),
          b.div(largest(lower)),
          "L x",
        );
      });
      test("results are new tensors, and the operands keep their elements", () => {
        const [a, b] = [random(4, 4), random(4)];
        const before = [a, b].map((x) => x.toArray());
        jl.linalg.solve(a, b);
        jl.linalg.eigh(a);
        jl.linalg.svd(a);
        jl.linalg.qr(a);
        jl.linalg.solveTriangular(a, b.unsqueeze(-1), { upper: true });
        expect([a, b].map((x) => x.toArray())).toEqual(before);
        jl.linalg.matrixPower(a, 1).fill_(0);
        expect(a.toArray()).toEqual(before[0]);
      });
      test("no matrices, and matrices without elements", () => {
        const none = jl.zeros([0, 3, 3], { dtype });
        expect(jl.linalg.solve(none, jl.zeros([0, 3, 2], { dtype })).shape).toEqual([0, 3, 2]);
        expect(jl.linalg.svd(none).U.shape).toEqual([0, 3, 3]);
        expect(jl.linalg.eigvalsh(none).shape).toEqual([0, 3]);
        const { Q, R } = jl.linalg.qr(jl.zeros([3, 0], { dtype }), { mode: "complete" });
        expect([Q.shape, R.shape]).toEqual([
          [3, 3],
          [3, 0],
        ]);
        isOrthonormal(Q, "Q");
        isOrthonormal(jl.linalg.svd(jl.zeros([3, 0], { dtype })).U, "U");
        expect(jl.linalg.solve(jl.eye(2, 2, { dtype }), jl.zeros([2, 0], { dtype })).shape).toEqual([2, 0]);
        expect(jl.linalg.matrixExp(jl.zeros([0, 0], { dtype })).shape).toEqual([0, 0]);
      });
    });

    test("numbers near the ends of float64", () => {
      for (const size of [1e-300, 1e300]) {
        const a = jl.tensor([2, 1, 1, 3], { dtype: "float64" }).view(2, 2).mul(size);
        const wanted = [(5 - Math.sqrt(5)) / 2, (5 + Math.sqrt(5)) / 2];
        const values = jl.linalg.eigvalsh(a).div(size).toArray() as number[];
        const singular = jl.linalg.svdvals(a).div(size).toArray() as number[];
        for (const [i, value] of wanted.entries()) {
          expect(values[i]).toBeCloseTo(value, 13);
          expect(singular[1 - i]).toBeCloseTo(value, 13);
        }
      }
    });

    test("matrixExp of matrices of small and large norms in one batch", () => {
      const a = jl.tensor([0, 1, -1, 0], { dtype: "float64" }).view(2, 2);
      const found = jl.linalg.matrixExp(jl.stack([a.mul(1e-8), a, a.mul(40)]) as never);
      for (const [i, angle] of [1e-8, 1, 40].entries()) {
        const [[c, s]] = found.select(0, i).toArray() as [[number, number], number[]];
        expect(c).toBeCloseTo(Math.cos(angle), 11);
        expect(s).toBeCloseTo(Math.sin(angle), 11);
      }
    });

    test("as steps of a compiled function, and again with other elements", () => {
      const step = jl.compile((a: jl.Tensor, b: jl.Tensor) => {
        const x = jl.linalg.solve(a.add(1), b.mul(2));
        return { x, det: jl.linalg.det(a).exp(), S: jl.linalg.svdvals(a).mul(2) };
      });
      for (let call = 0; call < 4; call++) {
        const [a, b] = [jl.randn([2, 4, 4], { dtype: "float64" }), jl.randn([2, 4], { dtype: "float64" })];
        const found = step(a, b);
        const apart = jl.linalg.solve(a.add(1), b.mul(2));
        expect(found.x.toArray()).toEqual(apart.toArray());
        expect(largest(found.det.sub(jl.linalg.det(a).exp()))).toBeLessThan(1e-12);
        expect(found.S.toArray()).toEqual(jl.linalg.svdvals(a).mul(2).toArray());
      }
      const singular = () =>
        step(jl.ones([2, 4, 4], { dtype: "float64" }).mul(-1), jl.ones([2, 4], { dtype: "float64" }));
      expect(refusal(() => singular().x.toArray())).toMatch(/^singular-matrix: linalg\.solve: matrix 0 of 2/);
    });

    test("replayed functions and graphs", () => {
      const x = jl.eye(3).mul(2);
      const replayed = jl.compile((a: jl.Tensor) => jl.linalg.inv(a).add(1), { replay: true });
      for (const factor of [1, 2, 4, 8]) {
        expect(replayed(x.mul(factor)).select(0, 0).select(0, 0).item()).toBeCloseTo(1 + 1 / (2 * factor), 6);
      }
      if (getDevice().compose) {
        expect(refusal(() => jl.graph(() => jl.linalg.inv(x)))).toMatch(/^graph/);
        return;
      }
      const graph = jl.graph(() => jl.linalg.inv(x));
      for (const factor of [1, 3]) {
        x.copy_(jl.eye(3).mul(factor));
        expect(graph().select(0, 0).select(0, 0).item()).toBeCloseTo(1 / factor, 6);
      }
    });

    describe("what is refused", () => {
      const bad = (element: number) => jl.tensor([1, 0, 0, element]).view(2, 2);
      const three = () => jl.ones([3, 2, 2]);
      test.each<[string, () => unknown]>([
        ["a singular matrix", () => jl.linalg.solve(jl.ones([2, 2]), jl.ones([2]))],
        ["a singular one of a batch", () => jl.linalg.inv(jl.stack([jl.eye(2), jl.zeros([2, 2])]) as never)],
        ["an indefinite matrix", () => jl.linalg.cholesky(bad(-1))],
        ["NaN in a matrix of eigh", () => jl.linalg.eigh(bad(Number.NaN))],
        ["an infinite element in a matrix of svd", () => jl.linalg.svd(bad(Number.POSITIVE_INFINITY))],
        ["half precision", () => jl.linalg.solve(jl.eye(2).to("float16"), jl.ones([2]).to("float16"))],
        ["integers", () => jl.linalg.det(jl.arange(4).view(2, 2))],
        ["a vector", () => jl.linalg.svd(jl.ones([3]))],
        ["what is not a tensor", () => jl.linalg.inv([[1]] as never)],
        ["a matrix that is not square", () => jl.linalg.inv(jl.ones([2, 3]))],
        ["a right side of another length", () => jl.linalg.solve(jl.eye(2), jl.ones([3]))],
        ["two dtypes", () => jl.linalg.solve(jl.eye(2), jl.ones([2], { dtype: "float64" }) as never)],
        ["batches that do not broadcast", () => jl.linalg.solve(three(), jl.ones([2, 2, 1]))],
        ["a vector with left: false", () => jl.linalg.solve(jl.eye(2), jl.ones([2]), { left: false })],
        ["an unknown option", () => jl.linalg.svd(jl.eye(2), { full_matrices: true } as never)],
        ["no triangle", () => jl.linalg.solveTriangular(jl.eye(2), jl.ones([2, 1]), {} as never)],
        ["an unknown mode", () => jl.linalg.qr(jl.eye(2), { mode: "thin" as never })],
        ["an unknown UPLO", () => jl.linalg.eigh(jl.eye(2), { UPLO: "lower" as never })],
        ["an unknown order", () => jl.linalg.matrixNorm(jl.eye(2), "max" as never)],
        ["an order over three dimensions", () => jl.linalg.norm(three(), 1)],
        ["half a power", () => jl.linalg.matrixPower(jl.eye(2), 0.5)],
        ["a negative power of a singular matrix", () => jl.linalg.matrixPower(jl.ones([2, 2]), -1)],
        [
          "other pivots",
          () => jl.linalg.luSolve(jl.eye(2), jl.tensor([5, 1], { dtype: "int32" }), jl.eye(2)),
        ],
        ["pivots of another dtype", () => jl.linalg.luSolve(jl.eye(2), jl.ones([2]) as never, jl.eye(2))],
        ["the condition of nothing", () => jl.linalg.cond(jl.zeros([0, 0]))],
      ])("%s", (_, run) => {
        expect(refusal(run)).toMatchSnapshot();
      });
    });
  });
}
