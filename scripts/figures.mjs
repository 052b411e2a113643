// Writes measured numbers and diagrams into the README and the notebooks, from the newest benchmark results. Usage: node
// scripts/figures.mjs [--check] [FOLDER]: --check changes nothing, lists what differs and then exits with 1.
//
// - README and the texts of the notebooks: a measured number is a link to its record, [3.4 us](bench/results/DATE-cuda.json#host/add.jitlab).
//   No other number with a unit of time or speed, no ratio and no share may stand there: a cell computes them.
// - The texts of the notebooks: no comparison ("faster", "twice"), and no record in a conclusion: a cell prints them.
// - Notebooks: the diagrams of assets/diagrams, each as data behind the reference of its name.
// - README's pictures: a chart's title has the machine and the date of a record of bench/results, which README links; another picture
//   has its record beside it, NAME.json, with the device, the date and the cells.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { comparisonsIn, conclusionOf, numbersIn, recordLink } from "./claims.mjs";

const folder = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
const root = folder ?? fileURLToPath(new URL("..", import.meta.url));
const records = readdirSync(join(root, "bench/results"))
  .filter((name) => /^\d{4}-\d\d-\d\d-[a-z-]+\.json$/.test(name))
  .sort()
  .reverse()
  .map((name) => ({ name, ...JSON.parse(readFileSync(join(root, "bench/results", name), "utf8")) }));

/** The newest record of a subject that has a row, and the row. */
function newest(subject, id) {
  for (const record of records.filter(({ name }) => name.slice("2026-01-01-".length) === `${subject}.json`)) {
    const row = record.rows.find((one) => one.id === id && one.ours !== undefined);
    if (row) return { record, row };
  }
  throw new Error(`No result of ${subject} in bench/results has ${id}.`);
}

const number = (value) => (value === undefined ? "–" : String(Number(value.toPrecision(3))));
const unitOf = ({ unit }) => unit.replace("us", "μs");

/** A text whose links to records show the newest numbers. */
function withRecords(text) {
  return text.replace(recordLink, (_, _said, up, subject, id, side) => {
    const { record, row } = newest(subject, id);
    const value = side === "jitlab" ? row.ours : row.peers[side];
    if (value === undefined) throw new Error(`${record.name} has no ${id} of ${side}.`);
    return `[${number(value)} ${unitOf(row)}](${up}bench/results/${record.name}#${id}.${side})`;
  });
}

/** A text whose references to diagrams contain them. */
function withDiagrams(text) {
  return text.replace(/^\[([a-z-]+)\]: data:image\/svg\+xml;base64,\S*$/gm, (_, name) => {
    const drawn = readFileSync(join(root, "assets/diagrams", `${name}.svg`)).toString("base64");
    return `[${name}]: data:image/svg+xml;base64,${drawn}`;
  });
}

const problems = [];
function settle(path, before, after, prose) {
  for (const found of numbersIn(prose)) problems.push(`${path}: ${found} has no record`);
  if (before === after) return;
  if (process.argv.includes("--check")) problems.push(`${path}: run node scripts/figures.mjs`);
  else writeFileSync(join(root, path), after);
}

/** What is wrong with a picture of the README, if anything is. */
function pictureProblem(path, text) {
  const file = join(root, path);
  if (!existsSync(file)) return "is missing";
  if (!path.endsWith(".svg")) {
    const beside = file.replace(/\.\w+$/, ".json");
    const { device, date, cells } = existsSync(beside) ? JSON.parse(readFileSync(beside, "utf8")) : {};
    return device && date && cells?.length > 0 ? undefined : "has no record: run node scripts/picture.mjs";
  }
  const [, title = ""] = /<title>(.*?)<\/title>/.exec(readFileSync(file, "utf8")) ?? [];
  const isShown = ({ name, machine, date }) =>
    text.includes(`bench/results/${name}`) &&
    title.includes(machine.device ?? "a processor") &&
    title.includes(date.slice(0, 10));
  return records.some(isShown) ? undefined : "is of no record that the text links: run npm run docs";
}

const readme = readFileSync(join(root, "README.md"), "utf8");
settle("README.md", readme, withRecords(readme), readme);
for (const [, first, second] of readme.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)|<img src="([^"]+)"/g)) {
  const problem = pictureProblem(first ?? second, readme);
  if (problem) problems.push(`README.md: ${first ?? second} ${problem}`);
}

for (const file of readdirSync(join(root, "notebooks")).filter((name) => name.endsWith(".ipynb"))) {
  const path = `notebooks/${file}`;
  const before = readFileSync(join(root, path), "utf8");
  const notebook = JSON.parse(before);
  const texts = notebook.cells.filter((cell) => cell.cell_type === "markdown");
  for (const cell of texts) {
    cell.source = withDiagrams(withRecords(cell.source.join(""))).split(/(?<=\n)/);
  }
  const prose = texts.map((cell) => cell.source.join(""));
  for (const found of comparisonsIn(prose.join("\n"))) {
    problems.push(`${path}: "${found}" compares; let a cell compute and print the sentence`);
  }
  for (const [found] of conclusionOf(prose).matchAll(recordLink)) {
    problems.push(`${path}: ${found} is in the conclusion; let a cell print it`);
  }
  settle(path, before, `${JSON.stringify(notebook, null, 1)}\n`, prose.join("\n"));
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
