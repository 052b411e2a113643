import { expect, test } from "vitest";
import { exportHtml } from "../../dist/kernel/export/html-export.js";
import { formatNotebook, parseNotebook } from "../../dist/kernel/export/notebook.js";

function notebook(...cells: object[]) {
  return parseNotebook(JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }), "test.ipynb");
}

function code(source: string, outputs: object[] = []) {
  return { cell_type: "code", id: "c", metadata: {}, execution_count: 7, source, outputs };
}

function display(data: object) {
  return { output_type: "display_data", metadata: {}, data };
}

const markdown = (source: string) => ({ cell_type: "markdown", id: "m", metadata: {}, source });

test("the title is the first heading, else the name", () => {
  expect(exportHtml(notebook(markdown("# GCD & more\ntext")), "n")).toContain(
    "<title>GCD &amp; more</title>",
  );
  expect(exportHtml(notebook(), "n")).toContain("<title>n</title>");
});

test("markdown is rendered, but its raw HTML and its script links are not", () => {
  const page = exportHtml(
    notebook(markdown("*a*\n\n<script>x</script>\n\n[l](javascript:x)\n\n```ts\nlet a;\n```")),
    "n",
  );
  expect(page).toContain("<em>a</em>");
  expect(page).toContain("&lt;script&gt;x&lt;/script&gt;");
  expect(page).not.toContain('href="javascript');
  expect(page).toContain('<span class="hljs-keyword">let</span>');
});

test("a prompt, a stream's name and a picture's text are no markup", () => {
  const bad = '"><script>alert(1)</script>';
  const outputs = [
    display({ "image/png": bad }),
    display({ "image/svg+xml": "<svg/>", "image/jpeg": bad }),
    { output_type: "stream", name: bad, text: "x" },
  ];
  const book = notebook(code("1", outputs));
  expect(
    exportHtml(
      { ...book, cells: book.cells.map((cell) => ({ ...cell, execution_count: bad }) as never) },
      "n",
    ),
  ).not.toContain("<script>alert");
});

test("a picture pasted into a markdown cell is inline", () => {
  const cell = {
    ...markdown("![p](attachment:a%20b.png)"),
    attachments: { "a b.png": { "image/png": "QUJD\n" } },
  };
  expect(exportHtml(notebook(cell), "n")).toContain('src="data:image/png;base64,QUJD"');
});

test("a drawing behind a reference is inline, a page as data is not", () => {
  const cell = markdown("![d][d] [l](data:text/html;base64,QUJD)\n\n[d]: data:image/svg+xml;base64,PHN2Zz4=");
  const page = exportHtml(notebook(cell), "n");
  expect(page).toContain('<img src="data:image/svg+xml;base64,PHN2Zz4=" alt="d">');
  expect(page).not.toContain('href="data:');
});

test("the body of a cell magic is coloured in its own language", () => {
  for (const magic of ["kernel", "cuda", "reduction"]) {
    expect(exportHtml(notebook(code(`%%${magic} f\ntemplate <typename T> T f(T x);`)), "n")).toContain(
      `<span class="magic">%%${magic} f\n</span><span class="hljs-keyword">template</span>`,
    );
  }
  expect(exportHtml(notebook(code("const a = 1;\n%source gcd\na?")), "n")).toContain(
    '<span class="magic">%source gcd\n</span><span class="magic">a?</span>',
  );
});

test("the richest MIME type is shown, text is escaped and coloured", () => {
  const page = exportHtml(
    notebook(
      code("a", [
        display({ "text/plain": "plain", "image/png": "QUJD", "text/html": ["<b>rich", "</b>"] }),
        display({ "text/plain": "p", "image/png": "QUJD" }),
        { output_type: "stream", name: "stderr", text: ["1 < 2 \u001b[31mred\u001b[39m"] },
        { output_type: "error", ename: "E", evalue: "v", traceback: ["E: v", "<at>"] },
      ]),
    ),
    "n",
  );
  expect(page).toContain('<div class="output data"><b>rich</b></div>');
  expect(page).not.toContain("plain</pre>");
  expect(page).toContain('<img alt="" src="data:image/png;base64,QUJD">');
  expect(page).toContain('<pre class="output stderr">1 &lt; 2 <span class="ansi-red-fg">red</span></pre>');
  expect(page).toContain('<pre class="output error">E: v\n&lt;at&gt;</pre>');
  expect(page).toContain('<div class="prompt">[7]</div>');
});

test("Plotly is inside once where a figure needs it, and not otherwise", () => {
  const figure = display({
    "application/vnd.plotly.v1+json": { data: [], layout: { title: { text: "</script>" } } },
    "text/plain": "f",
  });
  const page = exportHtml(notebook(code("a", [figure]), code("b", [figure])), "n");
  expect(page.split('"title":{"text":"\\u003c/script>"}').length).toBe(3);
  expect(page.length).toBeGreaterThan(1_000_000);
  expect(page.length).toBeLessThan(12_000_000);
  expect(exportHtml(notebook(code("a")), "n").length).toBeLessThan(20_000);
});

test("a figure's picture stands in its place until the plot does, and scripts get their element", () => {
  const figure = {
    "application/vnd.plotly.v1+json": { data: [], layout: { meta: { width: 474 } } },
    "image/png": "QUJD",
    "text/plain": "f\nits numbers",
  };
  const script = { "application/javascript": 'element.append("</script>")', "text/plain": "s" };
  const page = exportHtml(notebook(code("a", [display(figure)]), code("b", [display(script)])), "n");
  expect(page).toContain(
    '</script><img alt="f" style="max-width: min(100%, 474px)" src="data:image/png;base64,QUJD"></div>',
  );
  expect(page).toContain('element.append("<\\/script>")\n})(document.currentScript.previousElementSibling);');
});

test("a page asks for nothing from the network", () => {
  const page = exportHtml(notebook(markdown("# A"), code("1", [display({ "text/plain": "1" })])), "n");
  expect(page).not.toMatch(/<(script|link|img)[^>]*(src|href)="(?!data:)/);
});

test("a notebook survives reading and writing, in Jupyter's form", () => {
  const text = formatNotebook(notebook(markdown("a\nb"), code("1\n2", [display({ "text/plain": "x\ny" })])));
  expect(JSON.parse(text).cells[0].source).toEqual(["a\n", "b"]);
  expect(JSON.parse(text).cells[1].outputs[0].data["text/plain"]).toEqual(["x\n", "y"]);
  expect(formatNotebook(parseNotebook(text, "again"))).toBe(text);
  expect(text.startsWith('{\n "cells": [\n  {\n   "cell_type": "markdown",')).toBe(true);
});

test.each([
  ["{", "n is not a notebook: it is not JSON."],
  ["[]", "n is not a notebook of format 4: it has no format."],
  ['{"nbformat": 3}', "n is not a notebook of format 4: its format is 3."],
  ['{"nbformat": 4, "cells": [{"cell_type": "x"}]}', 'n, cell 1: unknown cell type "x".'],
])("refuses %s", (text, message) => {
  expect(() => parseNotebook(text, "n")).toThrow(message);
});

test("LaTeX is typeset as MathML; the text around it is escaped, and a formula with an error is its source", () => {
  const text = "<b> $x_1$ and $$\\frac{1}{2}$$ \\begin{align}a&=b\\end{align} \\(c\\) $\\nosuch{1}$ costs 5$";
  const page = exportHtml(notebook(code("1", [display({ "text/latex": text })])), "n");
  expect(page).toContain("&lt;b&gt; <math><msub><mi>x</mi><mn>1</mn></msub></math> and ");
  expect(page.match(/<math display="block"/g)).toHaveLength(2);
  expect(page).toContain("<mfrac><mn>1</mn><mn>2</mn></mfrac>");
  expect(page).toContain("<mi>c</mi>");
  expect(page).toMatch(/<code title="[^"]*nosuch[^"]*">\$\\nosuch\{1\}\$<\/code> costs 5\$/);
});
