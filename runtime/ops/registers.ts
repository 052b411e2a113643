// Functions that compute a whole vector register at once on a processor: which there are, and the files that they call. What they
// are and how they are made is in functors/registers/README.md.

const shared = {
  atanh: ["octaves"],
  erf: [],
  erfc: ["powers", "tails"],
  erfinv: ["octaves"],
  exp: ["powers"],
  gelu: ["powers", "tails"],
  lgamma: ["logarithms", "log"],
  log: ["logarithms"],
  log2: ["logarithms"],
  log10: ["logarithms"],
  "log-ndtr": ["powers", "tails"],
  mish: ["powers"],
  ndtr: ["powers", "tails"],
  ndtri: [],
  rsqrt: [],
  sigmoid: ["powers"],
  silu: ["powers"],
  sqrt: ["rsqrt"],
  tanh: [],
  tanhshrink: [],
} as const;

/** The name of a file in functors/registers/ and, with underscores, of the function that it defines in the namespace `lanes`. */
export type RegisterForm = keyof typeof shared;

const folder = "registers";

/** The files of a form as records name them, dependencies first. */
export function filesOf(form: RegisterForm): readonly string[] {
  return ["core", ...shared[form], form].map((file) => `${folder}/${file}`);
}

/** True for one of those files. */
export function isRegisterFile(name: string): boolean {
  return name.startsWith(`${folder}/`);
}

/** The call of a form with the argument `a`. */
export function callOf(form: RegisterForm): string {
  return `lanes::${form.replace("-", "_")}(a)`;
}
