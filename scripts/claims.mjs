// What a text claims to have measured. A number links to its record; a comparison is no text at all: a cell computes it and
// prints the sentence, so that it is as true as the output above it.

/** A link to a row of a record. */
export const recordLink =
  /\[([^\]\n]*)\]\(([./]*)bench\/results\/\d{4}-\d\d-\d\d-([a-z-]+)\.json#([\w/-]+)\.([^)\s]+)\)/g;

const measured =
  /(?<![\w.-])\d[\d.,]*(?: ?(?:ns|μs|us|ms|s|seconds|minutes|[MGT]B\/s|times|percent)\b| ?[×%])/g;

const comparison = new RegExp(
  [
    /\b(?:faster|fastest|slower|slowest|cheaper|dearer|quicker|(?:twice|half) as|as (?:fast|slow) as)\b/,
    /\b(?:nearly (?:all|as)|hardly|orders? of magnitude|(?:tens|hundreds|thousands|millions) of)\b/,
    /\b\w+ times (?:as|longer|more|less)\b|\bfrom [^.;:]{0,30}\belements on\b|\b[AHB][12]00\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

// "Which is faster?", "how many times faster", "if it is slower": such a sentence asks or supposes.
const supposes = /\b(?:how|whether|if|unless)\b|\?$/i;

/** The numbers of a text that look measured and link to no record. */
export function numbersIn(text) {
  return [...proseOf(text).matchAll(measured)].map(([found]) => found);
}

/** The comparisons of a text, which a cell should print. */
export function comparisonsIn(text) {
  const sentences = proseOf(text).split(/(?<=[.!?])\s+|\n/);
  return sentences.filter((one) => !supposes.test(one)).flatMap((one) => one.match(comparison) ?? []);
}

/** The prose of a notebook's conclusion: its last heading and what follows. */
export function conclusionOf(texts) {
  return texts.findLast((text) => /^## /m.test(text)) ?? "";
}

/** A text without pictures, code and links to records. */
function proseOf(text) {
  return text
    .replace(/^\[[a-z-]+\]: data:\S*$/gm, "")
    .replace(/```.*?```|`[^`\n]*`/gs, "")
    .replace(recordLink, "")
    .replace(/\]\([^)\s]*\)/g, "]");
}
