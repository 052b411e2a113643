// Required before a program, hides the embedded compiler from it, as where optional dependencies were left out.
const Module = require("node:module");

const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  if (name !== "@yowasp/clang") return resolve.call(this, name, ...rest);
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
};
