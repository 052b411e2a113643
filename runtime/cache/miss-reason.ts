// Why a kernel had to be compiled: the differences from the most similar kernel stored before it.
import { enclosedLines } from "../functor/enclosed-lines.js";
import { withStore } from "./current-store.js";
import type { Relative } from "./store.js";

/** One aspect in which stored kernels can differ: its weight, and how to describe it. */
interface Aspect {
  readonly weight: number;
  readonly differs: (own: Relative, other: Relative) => boolean;
  readonly words: (own: Relative, other: Relative) => string;
}

const changed = (what: string, own: string, other: string) => `${what} (${other} there, ${own} here)`;

// In the order of the message. Texts are compared only if nothing else explains a difference.
const aspects: readonly Aspect[] = [
  {
    weight: 8,
    differs: (own, other) => own.kind !== other.kind,
    words: (own, other) => changed("another device", own.kind, other.kind),
  },
  {
    weight: 4,
    differs: (own, other) => own.dtypes.join() !== other.dtypes.join(),
    words: (own, other) => changed("other dtypes", shortList(own.dtypes), shortList(other.dtypes)),
  },
  {
    weight: 4,
    differs: (own, other) => own.variant !== other.variant,
    words: (own, other) => changed("another layout", own.variant, other.variant),
  },
  {
    weight: 2,
    differs: (own, other) => own.kind === other.kind && own.arch !== other.arch,
    words: (own, other) => changed("another architecture", own.arch, other.arch),
  },
  {
    weight: 1,
    differs: (own, other) => own.kind === other.kind && own.compiler !== other.compiler,
    words: (own, other) => changed("another build of the compiler", own.compiler, other.compiler),
  },
  {
    weight: 1,
    differs: (own, other) => own.arch === other.arch && flagChange(own, other) !== "",
    words: (own, other) => `other compiler flags (${flagChange(own, other)})`,
  },
  {
    weight: 1,
    differs: (own, other) => own.symbol === other.symbol && own.source !== other.source,
    words: (own, other) => `another text (${textChange(own.source, other.source)})`,
  },
];

/** Why a stored kernel was compiled: the differences from the nearest earlier kernel; empty for an unknown key. */
export function whyCompiled(key: string): string {
  const related = withStore((store) => store.relatives(key), []);
  const own = related.at(-1);
  if (!own || own.key !== key) return "";
  // Kernels of the same compile were not stored earlier.
  const others = related.filter((other) => other.module !== own.module);
  const [nearest] = others
    .map((other) =>
      aspects.filter((aspect) => aspect.differs(own, other)).map((aspect) => ({ aspect, other })),
    )
    .sort((a, b) => distance(a) - distance(b));
  if (!nearest || nearest.length === 0) return "no kernel of it was stored";
  return `the nearest stored kernel has ${nearest.map(({ aspect, other }) => aspect.words(own, other)).join(", ")}`;
}

function distance(differences: readonly { readonly aspect: Aspect }[]): number {
  return differences.reduce((sum, { aspect }) => sum + aspect.weight, 0);
}

function shortList(dtypes: readonly string[]): string {
  return [...new Set(dtypes)].join(" ");
}

function flagChange(own: Relative, other: Relative): string {
  const gone = other.flags.filter((flag) => !own.flags.includes(flag));
  const come = own.flags.filter((flag) => !other.flags.includes(flag));
  return [...gone.map((flag) => `without ${flag}`), ...come.map((flag) => `with ${flag}`)].join(", ");
}

/** The first line that differs: of the user's functor, unless only the text around it does. */
function textChange(own: string, other: string): string {
  const [now, before] = [functorIn(own), functorIn(other)];
  return now === before ? lineChange(own, other) : lineChange(now, before);
}

function functorIn(text: string): string {
  const [first, last] = enclosedLines(text) ?? [1, 0];
  return text
    .split("\n")
    .slice(first - 1, last)
    .join("\n");
}

function lineChange(own: string, other: string): string {
  const before = other.split("\n");
  const now = own.split("\n");
  const at = now.findIndex((line, i) => line !== before[i]);
  const quoted = (line: string | undefined) => (line === undefined ? "nothing" : `\`${line.trim()}\``);
  return at < 0
    ? `line ${now.length + 1} and what follows are gone`
    : `line ${at + 1} was ${quoted(before[at])}, is ${quoted(now[at])}`;
}
