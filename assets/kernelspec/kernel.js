// Loaded by the classic Notebook when it starts this kernel: colours the body of %%kernel cells as C++.
define(["notebook/js/codecell"], (codecell) => ({
  onload() {
    const modes = codecell.CodeCell.options_default.highlight_modes;
    modes["magic_text/x-c++src"] = { reg: [/^%%kernel/] };
    for (const cell of Jupyter.notebook.get_cells()) {
      if (cell.cell_type === "code") cell.auto_highlight();
    }
  },
}));
