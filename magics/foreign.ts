// Magics of IPython and its extensions that users try by habit, and their replacements here.

const shell = "A command of the shell is run with !, such as !ls.";
const script = "%%script PROGRAM gives the body to a program, such as %%script python3.";
const loaded = "All magics are there without loading; leave the line out.";
const npm = "%npm install NAME installs a package of Node, !pip install NAME one of Python.";
const kernel = "%%kernel takes the function that computes one element; the loop around it is generated.";
const debugging =
  "A front end with a debugger, such as JupyterLab, stops at breakpoints and errors; %xmode Verbose shows all frames.";

const advices: Readonly<Record<string, string>> = {
  ls: shell,
  ll: shell,
  cat: shell,
  cp: shell,
  mv: shell,
  rm: shell,
  mkdir: shell,
  less: shell,
  pip: npm,
  conda: npm,
  yarn: npm,
  load_ext: loaded,
  reload_ext: loaded,
  autoreload: "An imported file that has changed is loaded anew by its next import; leave the line out.",
  matplotlib: "Figures show themselves; leave the line out.",
  pylab: "Figures show themselves; leave the line out.",
  python: script,
  python3: script,
  perl: script,
  ruby: script,
  js: "A cell without a magic is TypeScript; %%javascript runs its body in the browser.",
  cuda: kernel,
  cu: kernel,
  debug: debugging,
  pdb: debugging,
  edit: "Edit the cell itself; %load FILE brings a file's text here, and %%writefile FILE writes a cell to one.",
  store:
    "jl.save(path, x) and jl.load(path) keep a tensor in a file, fs.writeFileSync(path, JSON.stringify(value)) other values.",
  prun: "%%profile shows what a cell's kernels did, and when.",
  hist: "It is called %history.",
  magic: "%lsmagic lists the magics.",
  quickref: "%lsmagic lists the magics, and %help what there is.",
};

/** The replacement of a magic that only IPython has. */
export function foreignMagic(name: string): string | undefined {
  return Object.hasOwn(advices, name) ? advices[name] : undefined;
}
