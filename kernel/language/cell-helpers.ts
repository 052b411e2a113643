// Functions that converted cells call. A cell starts with those that it uses.

/** The name of a helper. */
export type Helper = keyof typeof helperText;

/** The JavaScript of each helper, one expression. */
export const helperText = {
  // A variable that other cells read and assign.
  __variable:
    "(exports, name, get, set) => Object.defineProperty(exports, name, { get, set, enumerable: true, configurable: true })",
  // A constant that replaces an earlier cell's variable.
  __constant:
    "(exports, name, value) => Object.defineProperty(exports, name, { value, writable: true, enumerable: true, configurable: true })",
  // A module as `import * as name` gives it: an ES module as it is, else its own properties with itself as the default.
  __importStar:
    '(m) => m?.__esModule || m?.[Symbol.toStringTag] === "Module" ? m : Object.create(null, { ...Object.getOwnPropertyDescriptors(Object(m)), default: { value: m, enumerable: true } })',
  __importMeta:
    '((filename) => ({ filename, dirname: process.cwd(), url: require("node:url").pathToFileURL(filename).href }))(process.cwd() + "/cell.ts")',
  // A module without a default export is its own default, as TypeScript assumes.
  __importDefault:
    '(m) => (m?.__esModule || m?.[Symbol.toStringTag] === "Module") && "default" in m ? m.default : m',
} as const;
