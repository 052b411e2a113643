// Messages for JavaScript syntax that functors do not support.

const values = "A functor computes with numbers and booleans.";

/** For each unsupported syntax node: the message and the alternative. */
export const refusals: Readonly<Record<string, readonly [string, string]>> = {
  ArrayExpression: [
    "an array has no translation",
    "Use one variable for each value; return an array for several results.",
  ],
  ObjectExpression: [
    "an object has no translation",
    "Use one variable for each value; return an object for several results.",
  ],
  AwaitExpression: ["await has no translation", "A functor computes one element and cannot wait."],
  YieldExpression: ["yield has no translation", "Return the value."],
  ThisExpression: ["this has no translation", "Pass the value as a parameter."],
  NewExpression: ["new has no translation", values],
  TemplateLiteral: ["text has no translation", values],
  TaggedTemplateExpression: ["text has no translation", values],
  ArrowFunctionExpression: [
    "a function is not a value here",
    "Give it a name with const, and call it by that name.",
  ],
  FunctionExpression: [
    "a function is not a value here",
    "Give it a name with const, and call it by that name.",
  ],
  ClassDeclaration: ["a class has no translation", values],
  ClassExpression: ["a class has no translation", values],
  ChainExpression: ["?. has no translation", values],
  SpreadElement: ["... has no translation", "Pass each value separately."],
  RestElement: ["... has no translation", "Name each parameter."],
  ArrayPattern: ["an array pattern has no translation", "Use one variable for each value."],
  ObjectPattern: [
    "an object pattern has no translation here",
    "Only the last parameter may be one: ({ scale }) with params.",
  ],
  AssignmentPattern: ["a default has no translation here", "Only the functor's parameters have defaults."],
  AssignmentExpression: ["this assignment has no translation", "Write it with =, or as an if."],
  TryStatement: ["try has no translation", "Functors cannot throw."],
  ThrowStatement: ["throw has no translation", "Return NaN for an invalid argument."],
  SwitchStatement: ["switch has no translation", "Write it with if and else."],
  ForInStatement: ["for ... in has no translation", "Count with for (let i = 0; i < n; i++)."],
  ForOfStatement: ["for ... of has no translation", "Count with for (let i = 0; i < n; i++)."],
  LabeledStatement: [
    "a label has no translation",
    "Leave the loops by a condition, or by return in a separate function.",
  ],
  DebuggerStatement: [
    "debugger has no translation",
    "Call the function itself to debug it: it is plain JavaScript.",
  ],
  WithStatement: ["with has no translation", "Name each variable."],
  ImportExpression: ["import has no translation", values],
  MetaProperty: ["import.meta and new.target have no translation", values],
};
