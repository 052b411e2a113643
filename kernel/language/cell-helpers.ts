// Names that converted cells use: their parameters, and functions. A cell starts with the functions that it uses.

/**
 * The parameters of a converted cell. Not `exports` and `require`: a cell may declare these names, as an ES module may, or use
 * those of CommonJS, which stand in a scope outside of it.
 */
export const ownNames = { exports: "__exports", require: "__require" } as const;

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
    '((filename) => ({ filename, dirname: process.cwd(), url: __require("node:url").pathToFileURL(filename).href }))(process.cwd() + "/cell.ts")',
  // A module without a default export is its own default, as TypeScript assumes.
  __importDefault:
    '(m) => (m?.__esModule || m?.[Symbol.toStringTag] === "Module") && "default" in m ? m.default : m',
} as const;
