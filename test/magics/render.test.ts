// Tables, listings and figures: valid bundles, text that really shows in the PNG, and nothing of the user's as markup.
import { expect, test } from "vitest";
import { formsOf, plotBundle, plotlyScript, withoutPlotly } from "../../dist/magics/render/bundle.js";
import { type Figure, palette, ticksOf } from "../../dist/magics/render/figure.js";
import { formatAge, formatBytes, formatRatio, formatTime, plural } from "../../dist/magics/render/format.js";
import { highlight } from "../../dist/magics/render/highlight.js";
import { tableHtml } from "../../dist/magics/render/html.js";
import { layoutOf } from "../../dist/magics/render/layout.js";
import { type Listing, listingHtml, listingText } from "../../dist/magics/render/listing.js";
import { plotlyFigure } from "../../dist/magics/render/plot.js";
import { svgToPng } from "../../dist/magics/render/png.js";
import { figureSvg } from "../../dist/magics/render/svg.js";
import { tableText } from "../../dist/magics/render/table.js";
import { decodePng, inkIn } from "../support/png.js";

const time = { label: "time", scale: "linear", unit: "time" } as const;
const log = { label: "", scale: "log", unit: "time" } as const;

const phases: Figure = {
  title: "Compile against launch",
  rows: ["gcd int64", "evil</script><b> float32"],
  panels: [
    {
      kind: "spans",
      title: "Phases",
      x: time,
      series: [
        { name: "compile", color: palette.compile, spans: [{ row: 0, from: 1, to: 77 }] },
        {
          name: "load <b>",
          color: palette.load,
          spans: [
            { row: 0, from: 77, to: 80 },
            { row: 1, from: 0, to: 4 },
          ],
        },
      ],
    },
    {
      kind: "dots",
      title: "First call",
      x: log,
      series: [
        { name: "warm", color: palette.warm, values: [0.004, undefined] },
        { name: "first", color: palette.first, values: [80, 4] },
      ],
      notes: ["20,000×", ""],
    },
  ],
};

const curves: Figure = {
  title: "Time of one call",
  rows: [],
  panels: [
    {
      kind: "lines",
      title: "",
      x: { label: "n", scale: "log", unit: "count" },
      y: { label: "time", scale: "log", unit: "time" },
      series: [
        {
          name: "x.exp()",
          color: palette.launch,
          points: [
            [1e3, 0.004],
            [1e6, 2.3],
          ],
        },
      ],
    },
  ],
};

test("a figure's bundle has four forms", () => {
  const { data, metadata } = plotBundle(formsOf(phases), { embed: false });
  expect(Object.keys(data)).toEqual([
    "application/vnd.plotly.v1+json",
    "text/html",
    "image/png",
    "text/plain",
  ]);
  const { width, height } = layoutOf(phases);
  expect(metadata).toEqual({ "image/png": { width, height } });
  const image = decodePng(Buffer.from(data["image/png"] as string, "base64"));
  expect([image.width, image.height]).toEqual([width * 2, height * 2]);
  expect(JSON.parse(JSON.stringify(data["application/vnd.plotly.v1+json"]))).toEqual(
    data["application/vnd.plotly.v1+json"],
  );
  expect(data["text/plain"]).toContain("gcd int64                 warm 4 μs, first 80 ms (20,000×)");
});

test.each([
  ["phases", phases],
  ["curves", curves],
])("the PNG of %s shows its texts, marks and nothing between", (_, figure) => {
  const layout = layoutOf(figure);
  const image = decodePng(svgToPng(figureSvg(figure)));
  const blank = decodePng(svgToPng(figureSvg(figure).replace(/<text[^>]*>[^<]*<\/text>/g, "")));
  const frame = layout.frames[0]!;
  const bottom = frame.top + frame.height;
  const places: Record<string, [number, number, number, number]> = {
    title: [250, layout.titleY - 14, 610, layout.titleY + 4],
    ticks: [frame.left - 20, bottom + 6, frame.left + frame.width, bottom + 20],
    left: [10, frame.top - 6, frame.left - 4, bottom],
    legend: [10, layout.legendY - 10, 850, layout.legendY + 4],
  };
  for (const [name, place] of Object.entries(places)) {
    expect(inkIn(image, ...place) - inkIn(blank, ...place), name).toBeGreaterThan(150);
  }
  expect(inkIn(image, frame.left, frame.top, frame.left + frame.width, bottom)).toBeGreaterThan(1000);
  expect(inkIn(image, 0, 0, 860, 4)).toBe(0);
});

test("Plotly's axes hold every value and its texts are escaped", () => {
  const { data, layout } = plotlyFigure(phases) as { data: any[]; layout: any };
  expect(data[0]).toMatchObject({ type: "bar", base: [1], x: [76], y: [0], xaxis: "x", yaxis: "y" });
  expect(layout.xaxis2).toMatchObject({ type: "log", range: [-3 - 1e-9, 2 + 1e-9] });
  expect(layout.yaxis.ticktext).toEqual(["gcd int64", "evil&lt;/script&gt;&lt;b&gt; float32"]);
  expect(JSON.stringify(data)).not.toContain("<b>");
  const curve = plotlyFigure(curves) as { data: any[]; layout: any };
  expect(curve.layout.yaxis).toMatchObject({ type: "log", range: [-3 - 1e-9, 1 + 1e-9] });
  expect(curve.data[0].y).toEqual([0.004, 2.3]);
});

test("a figure's HTML shows the PNG without scripts, and brings the library at most once", () => {
  const bare = plotBundle(formsOf(phases), { embed: false }).data["text/html"] as string;
  expect(bare).toMatch(
    /^<div id="jitlab-figure-\w+" style="max-width: 860px; [^"]*"><img alt="Compile against launch"/,
  );
  expect(bare.match(/<\/script>/g)).toHaveLength(1);
  const full = plotBundle(formsOf(phases), { embed: true }).data["text/html"] as string;
  expect(full.length - bare.length).toBeGreaterThan(1e6);
  expect(full.match(/<\/script>/g)).toHaveLength(2);
  const stripped = withoutPlotly(full);
  expect(stripped.length).toBeLessThan(bare.length + 100);
  expect(withoutPlotly(bare)).toBe(bare);
});

test("a plot keeps its role and its label when Plotly draws it; without a title, its text names it", () => {
  const html = plotBundle(formsOf({ ...curves, title: "" }), { embed: false }).data["text/html"] as string;
  expect(html).toMatch(/<img alt="time by n"/);
  expect(html).toContain('plot.setAttribute("role", "img")');
  expect(html).toContain('plot.setAttribute("aria-label", image.alt || image.textContent)');
});

test("the library sets window.Plotly, also beside RequireJS", () => {
  const script = plotlyScript();
  expect(script).not.toMatch(/<\/script/i);
  expect(script.startsWith("(function (define, module, exports, require) {")).toBe(true);
  expect(script).toMatch(/window\.Plotly=/);
});

test("ticks: round steps from zero, whole decades on log axes", () => {
  expect(ticksOf(time, [3, 77]).ticks.map((tick) => tick.text)).toEqual([
    "0",
    "20 ms",
    "40 ms",
    "60 ms",
    "80 ms",
  ]);
  expect(ticksOf(log, [0.004, 80])).toMatchObject({ min: 1e-3, max: 100 });
  expect(ticksOf(time, [])).toMatchObject({ min: 0, max: 1 });
  expect(ticksOf(log, [5]).ticks.length).toBeGreaterThan(1);
});

test("tables as text and HTML", () => {
  const table = {
    heading: "Two <things>",
    columns: [
      { title: "name", doc: 'a "doc"' },
      { title: "count", align: "right" as const },
    ],
    rows: [
      [{ text: "<script>x</script>", tone: "compiled" as const, title: "'quoted'" }, "1"],
      ["b", "1,000"],
    ],
    note: "a & b",
  };
  expect(tableText(table)).toMatchInlineSnapshot(`
    "Two <things>

    name                count
    <script>x</script>      1
    b                   1,000

    a & b"
  `);
  const html = tableHtml(table);
  expect(html).not.toMatch(/<script|<style|<svg/);
  expect(html).toContain("&lt;script&gt;x&lt;/script&gt;");
  expect(html).toContain('title="&#39;quoted&#39;"');
  expect(html).toContain("a &amp; b");
  expect(tableText({ columns: [], rows: [], note: "nothing" })).toBe("nothing");
});

test("MathJax finds no formula in a table: its delimiters stand alone", () => {
  const html = tableHtml({
    heading: "$h$",
    columns: [{ title: "f($x * $y)" }],
    rows: [["\\(a\\)"]],
    note: "$1 or $2",
  });
  expect(html).not.toMatch(/\$[^<]|\\[([]/);
  expect(html.replace(/<[^>]*>/g, "")).toContain("f($x * $y)");
  expect((plotlyFigure(curves).config as any).typesetMath).toBe(false);
});

const listing: Listing = {
  title: "f<T>",
  facts: ["int64", "C++"],
  text: '// a & b\nstruct X;\nstruct Y;\nint f(int x) { return x < 10 ? 2.5f : g("<b>"); }\n',
  language: "cpp",
  marked: [4, 4],
  folded: [{ lines: [2, 3], what: "types" }],
};

test("listings fold, mark and number", () => {
  expect(listingText(listing)).toMatchInlineSnapshot(`
    "f<T>  int64  C++
    1   // a & b
        ... lines 2 to 3: types
    4 | int f(int x) { return x < 10 ? 2.5f : g("<b>"); }"
  `);
  const html = listingHtml(listing);
  expect(html).toContain("<summary");
  expect(html).toContain("lines 2 to 3: types");
  expect(html.match(/background-color: rgba\(230, 150, 40, 0.16\)/g)).toHaveLength(1);
  expect(html).not.toMatch(/<b>"|<T>/);
});

test("highlighting loses and adds no text", () => {
  const sources = {
    cpp: listing.text,
    ptx: ".visible .entry f(\n\t.param .u64 p0\n)\n$L1:\n@%p1 bra $L2; // <b>\n\tmul.f32 %f3, %f1, 0f3F800000;",
    assembly: 'main:\n\tvmovupd\t(%rbx,%rax), %ymm1 # "x"\n /*0010*/ IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;',
  } as const;
  for (const [language, text] of Object.entries(sources)) {
    const html = highlight(text, language as keyof typeof sources).join("\n");
    const plain = html
      .replace(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&");
    expect(plain).toBe(text);
    expect(html.match(/<span/g)!.length).toBeGreaterThan(5);
  }
});

test("inline styles are ones that JupyterLab's sanitizer keeps: no var(), no url(), no important", () => {
  const html =
    listingHtml(listing) + tableHtml({ columns: [{ title: "a" }], rows: [["b"]], heading: "h", note: "n" });
  // The sanitizer may drop the background, a shadow where there is more to scroll, and keeps the rest.
  for (const [, style = ""] of html.matchAll(/style="([^"]*)"/g))
    expect(style.replace(/background: linear-gradient[^;]*/, "")).not.toMatch(/var\(|url\(|!important/);
});

test("every color of a text has a contrast of at least 4.5 on white and on near-black", () => {
  const tones = ["compiled", "disk", "remote", "memory", "good", "bad", "quiet"] as const;
  const text = 'int x = 1; // "s"\n#define A "b"\nf(x)';
  const html =
    tableHtml({ columns: [{ title: "a" }], rows: tones.map((tone) => [{ text: tone, tone }]), note: "n" }) +
    listingHtml({ ...listing, text, warning: "w" });
  const colours = [...html.matchAll(/color-mix\(in srgb, currentColor 40%, (#\w{6})\)/g)].map(
    ([, hex]) => hex!,
  );
  expect(new Set(colours).size).toBeGreaterThan(8);
  expect(html.match(/[";] *color: #/g)!.length).toBe(colours.length);
  const luminance = (channels: number[]) => {
    const [r = 0, g = 0, b = 0] = channels.map((c) =>
      c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  // The page's own text: 87 % black on white, white on JupyterLab's dark grey.
  const pages = [
    { own: 0.13, page: luminance([1, 1, 1]) },
    { own: 1, page: luminance([0.067, 0.067, 0.067]) },
  ];
  for (const hex of colours) {
    const channels = [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16) / 255);
    for (const { own, page } of pages) {
      const text = luminance(channels.map((c) => 0.3 * own + 0.7 * c));
      const [low, high] = [Math.min(text, page), Math.max(text, page)];
      expect((high + 0.05) / (low + 0.05), hex).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test("a listing copies without its numbers, and has a button for that", () => {
  const html = listingHtml(listing);
  expect(html).toMatch(/<button [^>]*onclick="[^"]*navigator.clipboard[^"]*">Copy<\/button>/);
  expect(html.match(/user-select: none">\d/g)!.length).toBe(html.match(/<pre /g)!.length / 2);
});

test("numbers as people read them", () => {
  const times = [8.26e-9, 1.2345e-4, 0.05, 1.37, 59.94, 62, 3700, 90_000, 0];
  expect(times.map((t) => formatTime(t))).toEqual([
    "8.26 ns",
    "123 μs",
    "50 ms",
    "1.37 s",
    "59.9 s",
    "1min 2s",
    "1h 1min 40s",
    "1d 1h",
    "0 ns",
  ]);
  expect([0, 1, 1023, 1536, 5 * 2 ** 30].map(formatBytes)).toEqual([
    "0 bytes",
    "1 byte",
    "1023 bytes",
    "1.5 KiB",
    "5.0 GiB",
  ]);
  expect([formatRatio(12.3), formatRatio(43_210), plural(2, "launch"), plural(1, "kernel")]).toEqual([
    "12×",
    "43,000×",
    "2 launches",
    "1 kernel",
  ]);
  expect([formatAge(5e3), formatAge(61e3), formatAge(2 * 86_400_000)]).toEqual([
    "just now",
    "1 minute ago",
    "2 days ago",
  ]);
});
