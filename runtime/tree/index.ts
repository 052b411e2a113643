// jl.tree: functions of trees of tensors.
export { flatten, map, type TreeStructure, unflatten } from "./structure.js";
