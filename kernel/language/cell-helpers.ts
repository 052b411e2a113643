// Functions that a cell may need beside its own code; only those that it uses go in front of it.

/** The name of a helper. */
export type Helper = keyof typeof helperText;

/** The JavaScript of what a cell may need beside its own code, each one expression. */
export const helperText = {
  // A variable that other cells read and assign.
  __variable:
    "(exports, name, get, set) => Object.defineProperty(exports, name, { get, set, enumerable: true, configurable: true })",
  // A constant in the place of an earlier cell's variable.
  __constant:
    "(exports, name, value) => Object.defineProperty(exports, name, { value, writable: true, enumerable: true, configurable: true })",
  // A module as `import * as name` gives it: an ES module as it is, else its own properties with itself as the default.
  __importStar:
    '(m) => m?.__esModule || m?.[Symbol.toStringTag] === "Module" ? m : Object.create(null, { ...Object.getOwnPropertyDescriptors(Object(m)), default: { value: m, enumerable: true } })',
  __importMeta:
    '((filename) => ({ filename, dirname: process.cwd(), url: require("node:url").pathToFileURL(filename).href }))(process.cwd() + "/cell.ts")',
  // A module without a default is its own default, as TypeScript's check takes it.
  __importDefault:
    '(m) => (m?.__esModule || m?.[Symbol.toStringTag] === "Module") && "default" in m ? m.default : m',
} as const;
