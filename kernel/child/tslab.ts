// `import * as tslab from "tslab"`: tslab's display API on this kernel's displays, so that its notebooks run here. The build
// copies the types from the package tslab.
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import type { Display, versions } from "tslab";
import { typescriptVersion } from "../language/typescript.js";
import type { Output } from "./output.js";

/** The module `tslab` as cells import it. */
export interface TslabModule {
  readonly __esModule: true;
  readonly versions: typeof versions;
  readonly display: Display;
  newDisplay(): Display;
}

const require = createRequire(import.meta.url);

/** Creates the module `tslab` of a notebook. */
export function tslabModule(output: Output): TslabModule {
  return {
    __esModule: true,
    get versions() {
      const { version } = require("../../tslab/package.json") as { version: string };
      return { tslab: version, typescript: typescriptVersion(), node: process.version };
    },
    display: displayOn(output),
    newDisplay: () => displayOn(output, randomUUID()),
  };
}

// With an id, later calls replace the first one's display.
function displayOn(output: Output, id?: string): Display {
  let shown = false;
  const raw: Display["raw"] = (mime, value) => {
    const data = typeof value === "string" ? value : Buffer.from(value).toString("base64");
    output.display({ [mime]: data }, {}, id, shown);
    shown = id !== undefined;
  };
  return {
    raw,
    javascript: (text) => raw("text/javascript", text),
    html: (text) => raw("text/html", text),
    markdown: (text) => raw("text/markdown", text),
    latex: (text) => raw("text/latex", text),
    svg: (text) => raw("image/svg+xml", text),
    png: (bytes) => raw("image/png", bytes),
    jpeg: (bytes) => raw("image/jpeg", bytes),
    gif: (bytes) => raw("image/gif", bytes),
    pdf: (bytes) => raw("application/pdf", bytes),
    text: (text) => raw("text/plain", text),
  };
}
