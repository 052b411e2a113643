// The language process without a snapshot: it reads and parses everything itself.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Libraries } from "./libraries.js";
import { serveParent } from "./request-loop.js";
import { loadTypeScript } from "./typescript.js";

const packageRoot = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
serveParent(new Libraries(loadTypeScript()), packageRoot);
