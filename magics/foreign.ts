// Magics of IPython and its extensions, and their replacements here.

const shell = "Run a shell command with !, such as !ls.";
const script = "%%script PROGRAM runs the body with a program, such as %%script python3.";
const loaded = "All magics are available without loading; remove the line.";
const npm = "%npm install NAME installs a Node package, !pip install NAME a Python package.";
const kernel = "%%kernel takes the function of one element; the loop is generated.";
const earlier = "%history shows earlier cells.";
const asking = "`x?` shows help on a name, `x??` its source too.";
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
  more: shell,
  pycat: shell,
  head: shell,
  rmdir: shell,
  pip: npm,
  conda: npm,
  yarn: npm,
  load_ext: loaded,
  unload_ext: loaded,
  reload_ext: loaded,
  autoreload: "A changed file is reloaded by its next import; remove the line.",
  matplotlib: "Figures are shown automatically; remove the line.",
  pylab: "Figures are shown automatically; remove the line.",
  python: script,
  python3: script,
  perl: script,
  ruby: script,
  js: "A cell without a magic is TypeScript; %%javascript runs its body in the browser.",
  cuda: kernel,
  cu: kernel,
  debug: debugging,
  pdb: debugging,
  edit: "Edit the cell; %load FILE inserts a file's text, and %%writefile FILE writes a cell to a file.",
  store:
    "Save tensors with jl.save(path, x) and jl.load(path), other values with fs.writeFileSync(path, JSON.stringify(value)).",
  prun: "%%profile shows the timeline of a cell's kernels.",
  hist: "Use %history.",
  rerun: earlier,
  recall: earlier,
  rep: earlier,
  macro: earlier,
  save: `${earlier} %%writefile FILE writes a cell to a file.`,
  notebook: "%export shows the notebook as TypeScript; the front end saves it.",
  set_env: "%env NAME=VALUE sets a variable of the environment.",
  pinfo: asking,
  pinfo2: asking,
  pdef: asking,
  pdoc: asking,
  psource: asking,
  pfile: asking,
  psearch: "%who and %whos list the variables; Tab completes a name.",
  who_ls: "%who and %whos list the variables.",
  tb: "%xmode Verbose shows all frames of the errors that follow.",
  memit: "%memory shows a device's memory, process.memoryUsage() that of the process.",
  mprun: "%memory shows a device's memory, process.memoryUsage() that of the process.",
  lprun: "%%profile shows the timeline of a cell's kernels.",
  clear: "The front end clears outputs: Clear Output in its menu.",
  magic: "%lsmagic lists the magics.",
  quickref: "%lsmagic lists the magics, and %help describes them.",
};

/** The replacement of an IPython magic. */
export function foreignMagic(name: string): string | undefined {
  return Object.hasOwn(advices, name) ? advices[name] : undefined;
}
