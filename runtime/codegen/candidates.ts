// What a kernel may be tuned to: the default first, then its rivals.
import type { Stages } from "../functor/functor.js";
import { type Choice, choiceName, defaultBlock } from "./choice.js";
import { blockSize, plainForm, stagesOf } from "./element.js";
import { gridShape } from "./gpu-kernel.js";
import type { RowSpec } from "./row-spec.js";
import type { KernelSpec } from "./spec.js";

/** One form of a kernel. */
export interface Candidate {
  readonly name: string;
  /** Undefined for the default. */
  readonly choice: Choice | undefined;
}

const blocks = [128, 256, 512];
const loops = [128, 256, 512, 1024];
const rowBlocks = [64, 128, 256, 512];
const times = [1, 2, 4];
const warp = 32;
const stackRoom = 2 ** 18;

/** The forms of a map; none where nothing may be chosen. */
export function mapCandidates(spec: KernelSpec): readonly Candidate[] {
  // Tuning runs on other memory, where indexes and the places that they name are arbitrary.
  if (spec.groups !== undefined || spec.functor.addressed) return [];
  if (!spec.dialect.gpu) return stagesOf(spec) || plainForm(spec) ? loopCandidates(stagesOf(spec)) : [];
  const { threads, lanes, perThread } = gridShape({ ...spec, choice: undefined });
  if (spec.layout.kind === "tiled") {
    return candidates(
      { block: threads },
      blocks.map((block) => ({ block })),
    );
  }
  return candidates(
    { block: threads, perThread },
    blocks.flatMap((block) => times.map((n) => ({ block, perThread: n * lanes }))),
  );
}

/** The forms of a row kernel; none where nothing may be chosen. */
export function rowCandidates({ share, body }: RowSpec): readonly Candidate[] {
  if (body.inputs.some(({ isAddressed }) => isAddressed)) return [];
  if (share === undefined) {
    return body.loops.length > 0 ? loopCandidates(...body.loops.map(({ stages }) => stages)) : [];
  }
  // More threads join a row through memory that the block has for one row.
  if (share.threads > warp) return [];
  return candidates(
    { block: defaultBlock },
    rowBlocks.map((block) => ({ block })),
  );
}

function loopCandidates(...parts: readonly (Stages | undefined)[]): readonly Candidate[] {
  // What passes between parts lies on the stack, at most 16 bytes an element.
  const buffers = parts.reduce((sum, stages) => sum + (stages?.buffers.length ?? 0), 0);
  const fitting = loops.filter((loop) => loop <= blockSize || loop * buffers * 16 <= stackRoom);
  return candidates(
    { loop: blockSize },
    fitting.map((loop) => ({ loop })),
  );
}

function candidates(own: Choice, all: readonly Choice[]): readonly Candidate[] {
  const name = choiceName(own);
  const rivals = all.flatMap((choice): Candidate[] => {
    const other = choiceName(choice);
    return other === name ? [] : [{ name: other, choice }];
  });
  return [{ name, choice: undefined }, ...rivals];
}
