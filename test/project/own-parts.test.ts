// What the README and the docs say that jitlab has, has not and runs on, against what it exports.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deviceKinds } from "../../dist/runtime/device/kinds.js";
import * as jl from "../../dist/runtime/index.js";

const root = new URL("../../", import.meta.url);
const pages = ["README.md", "HOW_IT_WORKS.md", "CHANGELOG.md"].concat(
  readdirSync(new URL("docs/", root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
);

/** The names of everything that a program can call, those of namespaces included. */
const exported = Object.entries(jl).flatMap(([name, value]) => [
  name,
  ...(typeof value === "object" && value !== null ? Object.keys(value).map((own) => `${name}.${own}`) : []),
]);

/** What jitlab may be said to lack, and the exports that would make it false. */
const parts: readonly (readonly [part: string, exports: RegExp])[] = [
  ["layers", /^(?:conv2d|layerNorm|dropout)$/],
  ["optimizers", /^optim\./],
  ["gradients", /^grad$/],
  ["linear algebra", /^linalg\./],
  ["Fourier transforms", /^fft\./],
  ["module system", /^nn$|^module/i],
  ["data loader", /dataLoader|dataset/i],
  ["training on several GPUs", /distributed|allReduce|ddp/i],
  ["launcher for that handshake", /launcher/i],
];

/** The false claims of a text. */
function falseClaims(text: string): string[] {
  const sentences = text.replace(/\s+/g, " ").split(/(?<=[.:]) /);
  return sentences.flatMap((sentence) => {
    const lacks = /\bjitlab (?:has|offers|knows|contains) no (.*)/.exec(sentence)?.[1] ?? "";
    // The first "no" holds for the parts up to a comma: "no layers and optimizers, runs on ..." denies two.
    const [first = "", ...later] = lacks.split(/, | and (?=no )/);
    const denied = [
      ...first.split(/ and | or /),
      ...later.flatMap((words) => (/^(?:and )?no (.*)/.exec(words)?.[1] ?? "").split(/ and | or /)),
    ];
    const wrong = denied.filter(Boolean).filter((words) => {
      const part = parts.find(([name]) => words.startsWith(name));
      return part === undefined || exported.some((name) => part[1].test(name));
    });
    const isOneDevice = /\bjitlab\b.*\bruns on [^,.;]* only\b/.test(sentence) && deviceKinds.length > 1;
    return isOneDevice ? [...wrong, "runs on one device only"] : wrong;
  });
}

test.each(pages)("%s denies nothing that jitlab has", (path) => {
  expect(falseClaims(readFileSync(new URL(path, root), "utf8"))).toEqual([]);
});

test("a false claim is found", () => {
  expect(falseClaims("jitlab has no layers and optimizers, runs on NVIDIA's GPUs only, and is new.")).toEqual(
    ["layers", "optimizers", "runs on one device only"],
  );
  expect(falseClaims("jitlab has no gradients,\nno data loaders and no teleporter.")).toEqual([
    "gradients",
    "teleporter.",
  ]);
});

test("functions that the README names exist, and it names every device", () => {
  const readme = readFileSync(new URL("README.md", root), "utf8");
  const named = [...readme.matchAll(/\bjl\.(\w+(?:\.\w+)?)/g)].map((match) => match[1] ?? "");
  expect(named.length).toBeGreaterThan(5);
  const isExported = (name: string) =>
    exported.includes(name) || exported.includes(name.replace(/\.\w+$/, ""));
  expect(named.filter((name) => !isExported(name))).toEqual([]);
  expect(deviceKinds.filter((kind) => !readme.includes(`\`${kind}\``))).toEqual([]);
});
