// Random programs of collectives, which a job of processes and one process alone run alike.
import { createHash } from "node:crypto";
import * as jl from "../../dist/runtime/index.js";

function random(seed) {
  let state = (seed + 1) * 2654435761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0;
    return state % below;
  };
}

/** The elements of a member at the start. */
export function startOf(seed, shape, dtype, member) {
  const draw = random(seed * 64 + member);
  const count = shape.reduce((a, b) => a * b, 1);
  return jl
    .tensor(
      Float32Array.from({ length: count }, () => (draw(2001) - 1000) / 8),
      { device: "cpu" },
    )
    .to(dtype)
    .view(shape);
}

/** Runs a program for one member, or over a list of all: `call` runs a collective. Returns a hash of what it ends with. */
export function randomProgram(seed, size, member, call) {
  const draw = random(seed);
  const dtype = ["float32", "float64", "float16", "int32", "int16"][draw(5)];
  const shape = [size * (1 + draw(5)), ...Array.from({ length: draw(3) }, () => 1 + draw(4))];
  const members = member === undefined ? Array.from({ length: size }, (_, i) => i) : [member];
  let tensors = members.map((i) => startOf(seed, shape, dtype, i));
  for (let step = 0; step < 3; step++) {
    const name = ["allReduce", "broadcast", "allGather", "reduceScatter"][draw(4)];
    const op = ["sum", "min", "max", "prod", "mean"][draw(/int/.test(dtype) ? 4 : 5)];
    const options = {
      allReduce: { op },
      broadcast: { root: draw(size) },
      allGather: {},
      reduceScatter: { op },
    }[name];
    if (name === "reduceScatter" && tensors[0].shape[0] % size !== 0) continue;
    if (name === "allGather" && tensors[0].size > 4096) continue;
    tensors = member === undefined ? call(tensors, name, options) : [call(tensors[0], name, options)];
    tensors = tensors.map((x, i) => x.add(members[i]));
  }
  const all = tensors.map((x) =>
    createHash("sha256").update(`${x.shape}`).update(x.contiguous().data()).digest("hex").slice(0, 8),
  );
  return member === undefined ? all : all[0];
}
