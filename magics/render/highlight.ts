// Light syntax coloring of listings: C++ and CUDA, PTX, and disassembled machine code. One regular expression per language
// with named groups; a token has the color of the group that matched it.
import { escapeHtml } from "./escape.js";
import { toned } from "./html.js";

/** A listing's language. */
export type Language = "cpp" | "ptx" | "assembly";

/** The colors of words by their kinds: mid-tones with about the same contrast on white and on near-black. */
export const colours: Readonly<Record<string, string>> = {
  comment: "#7d8590",
  string: "#3a9a5b",
  directive: "#b0568f",
  keyword: "#9a62d6",
  type: "#2f8fb8",
  number: "#c4762a",
  call: "#3f7fd8",
  register: "#2f8fb8",
  label: "#b0568f",
  opcode: "#3f7fd8",
};

const cppKeywords =
  "alignas|auto|break|case|const|constexpr|continue|default|do|else|extern|for|goto|if|inline|namespace|operator|return|sizeof|static|static_cast|reinterpret_cast|struct|switch|template|typedef|typename|union|using|volatile|while|true|false|__device__|__global__|__host__|__forceinline__|__noinline__|__restrict__|__launch_bounds__|__shared__";
const cppTypes =
  "bool|char|double|float|float2|float4|double2|half|int|int2|int4|long|short|signed|size_t|uint4|unsigned|void|uint8|int8|int16|int32|int64|uint32|uint64|float16|bfloat16|complex|u?int(?:8|16|32|64)_t|T";

const patterns: Readonly<Record<Language, RegExp>> = {
  cpp: new RegExp(
    [
      String.raw`(?<comment>\/\/.*|\/\*.*?\*\/)`,
      String.raw`(?<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])')`,
      String.raw`(?<directive>^\s*#.*)`,
      String.raw`(?<keyword>\b(?:${cppKeywords})\b)`,
      String.raw`(?<type>\b(?:${cppTypes})\b)`,
      String.raw`(?<number>\b(?:0x[0-9a-fA-F.]+(?:p[+-]?\d+)?|\d[\d.]*(?:e[+-]?\d+)?)[fFuUlL]*\b\.?)`,
      String.raw`(?<call>\b[A-Za-z_]\w*(?=\s*\())`,
    ].join("|"),
    "g",
  ),
  ptx: new RegExp(
    [
      String.raw`(?<comment>\/\/.*)`,
      '(?<string>"[^"]*")',
      String.raw`(?<label>\$?[A-Za-z_]\w*:)`,
      String.raw`(?<directive>(?<=^|[\s(,])\.[a-z]\w*)`,
      String.raw`(?<register>%[A-Za-z_][\w.]*)`,
      String.raw`(?<opcode>(?<=^\s*(?:@!?%\w+\s+)?)[a-z][\w.]*(?=\s|;))`,
      String.raw`(?<number>\b(?:0[fFdDx][0-9a-fA-F]+|\d+)\b)`,
    ].join("|"),
    "g",
  ),
  assembly: new RegExp(
    [
      String.raw`(?<comment>(?:\/\/|#).*|\/\*.*?\*\/)`,
      '(?<string>"[^"]*")',
      String.raw`(?<label>^\s*[.\w$]+:)`,
      String.raw`(?<directive>(?<=^\s*)\.\w+)`,
      String.raw`(?<register>%\w+|\b(?:U?R\d+|U?P\d+|RZ|URZ|PT|UPT|[xwvqds]\d+)\b)`,
      String.raw`(?<opcode>(?<=^\s*(?:@!?\w+\s+)?)[A-Za-z][\w.]*(?=\s|;|$))`,
      String.raw`(?<number>[$#]?-?\b(?:0x[0-9a-fA-F]+|\d[\d.]*)\b)`,
    ].join("|"),
    "g",
  ),
};

/** The lines of `text` as HTML, each complete in itself. */
export function highlight(text: string, language: Language): string[] {
  return text.split("\n").map((line) => highlightLine(line, patterns[language]));
}

function highlightLine(line: string, pattern: RegExp): string {
  let html = "";
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    const kind = Object.keys(match.groups ?? {}).find((name) => match.groups?.[name] !== undefined);
    const start = match.index ?? 0;
    html += escapeHtml(line.slice(end, start));
    html += `<span style="${toned(colours[kind ?? "comment"] ?? "")}">${escapeHtml(match[0])}</span>`;
    end = start + match[0].length;
  }
  return html + escapeHtml(line.slice(end));
}
