// %tune in the child, and the choices that %timings and %cache show.
import { JitlabError } from "../../runtime/base/errors.js";
import type { StoredChoice, TunedForm } from "../library.js";
import { UsageError } from "../magic.js";
import { type Figure, palette } from "../render/figure.js";
import { formatCount, formatRatio, formatTime, plural } from "../render/format.js";
import type { Table } from "../render/table.js";
import type { MagicContext } from "./context.js";
import { dtypeText, kernelLabel } from "./describe.js";
import { Progress } from "./progress.js";

const number = { align: "right" } as const;
const maxRowsInFigure = 40;
const mostChoices = 20;

/** Tunes a call, or the launches of this process, and shows the time of every form. */
export function tune(context: MagicContext, options: { plot: boolean }, call?: () => unknown): void {
  const { tuning } = context.jl;
  const progress = new Progress(context);
  const onProgress = ({ done, total, op, step }: { done: number; total: number; op: string; step: string }) =>
    progress.step(done, total, `${op} ${step}`);
  let forms: readonly TunedForm[];
  try {
    forms = call === undefined ? tuning.ran({ onProgress }) : tuning.call(call, { onProgress });
  } catch (error) {
    // The tuner's own errors are a misuse of the magic; an error of the call is the cell's.
    if (!(error instanceof JitlabError) || !error.what.startsWith("tune: ")) throw error;
    throw new UsageError(`%${error.what} ${error.help}`);
  } finally {
    progress.end();
  }
  if (forms.length === 0) {
    context.line("Nothing to tune: no kernel with several forms ran over more than 16384 elements.");
    return;
  }
  context.table(formsTable(forms));
  if (options.plot) context.figure(formsFigure(forms));
}

/** The forms of each kernel at each size, in order. */
function groupsOf(forms: readonly TunedForm[]): (readonly TunedForm[])[] {
  const groups: TunedForm[][] = [];
  for (const form of forms) {
    if (form.isDefault) groups.push([]);
    groups.at(-1)?.push(form);
  }
  return groups;
}

function formsTable(forms: readonly TunedForm[]): Table {
  const groups = groupsOf(forms);
  const changed = groups.filter((group) => group.some(({ isChosen, isDefault }) => isChosen && !isDefault));
  return {
    heading: `${plural(groups.length, "kernel")} tuned, ${formatCount(changed.length)} with another form than the default`,
    columns: [
      { title: "kernel" },
      { title: "dtypes" },
      { title: "layout" },
      { title: "up to", doc: "The most elements of a launch for which the choice holds.", ...number },
      { title: "form", doc: "How the work is divided; the default first." },
      { title: "time", doc: "Median time on the device.", ...number },
      { title: "against the default", ...number },
      { title: "", doc: "The form that launches of this size use from now on." },
    ],
    rows: groups.flatMap((group) =>
      group.map((form, i) => {
        const first = i === 0;
        return [
          first ? { text: form.op, code: true } : "",
          first ? dtypeText(form.dtypes) : "",
          first ? form.variant : "",
          first ? formatCount(form.upTo) : "",
          form.form,
          formatTime(form.us / 1e6),
          first ? "" : formatRatio(form.us / (group[0] as TunedForm).us),
          form.isChosen ? { text: "used", tone: "good" as const } : "",
        ];
      }),
    ),
  };
}

/** The time of each form; forms in use have another color. */
export function formsFigure(all: readonly TunedForm[]): Figure {
  const forms = all.slice(0, maxRowsInFigure);
  const more = all.length > forms.length ? ` (the first ${forms.length} of ${all.length})` : "";
  const bars = (name: string, color: string, isChosen: boolean) => ({
    name,
    color,
    spans: forms.flatMap((form, row) => {
      const note = `${kernelLabel(form)}: ${form.form}, ${formatTime(form.us / 1e6)}`;
      return form.isChosen === isChosen ? [{ row, from: 0, to: form.us / 1e3, note }] : [];
    }),
  });
  return {
    title: `Forms of each kernel${more}`,
    rows: forms.map((form) => `${form.isDefault ? `${kernelLabel(form)}: ` : ""}${form.form}`),
    panels: [
      {
        kind: "spans",
        title: "Time on the device",
        x: { label: "", scale: "linear", unit: "time" },
        series: [bars("used", palette.warm, true), bars("not used", palette.lookup, false)],
      },
    ],
  };
}

/** A table of stored choices, where there are some. */
export function choicesTables(choices: readonly StoredChoice[]): Table[] {
  if (choices.length === 0) return [];
  const left = choices.length - mostChoices;
  return [
    {
      heading: `${plural(choices.length, "tuned kernel")}`,
      columns: [
        { title: "kernel" },
        { title: "dtypes" },
        { title: "layout" },
        { title: "device" },
        { title: "up to", doc: "The most elements of a launch for which it holds.", ...number },
        { title: "form" },
        { title: "time", ...number },
        { title: "rivals", doc: "The default first." },
      ],
      rows: choices
        .slice(0, mostChoices)
        .map(({ op, dtypes, variant, model, upTo, form, times }) => [
          { text: op, code: true },
          dtypeText(dtypes),
          variant,
          model,
          formatCount(upTo),
          form,
          ...shownTimes(form, times),
        ]),
      ...(left > 0 ? { note: `And ${formatCount(left)} more: jl.tuning.list() has all.` } : {}),
    },
  ];
}

function shownTimes(form: string, times: StoredChoice["times"]): [own: string, rivals: string] {
  const own = times.find((one) => one.form === form);
  const rivals = times.filter((one) => one.form !== form);
  return [
    own ? formatTime(own.us / 1e6) : "–",
    rivals.map((one) => `${one.form}: ${formatTime(one.us / 1e6)}`).join("; "),
  ];
}

/** The choices for some kernels, in the form that was chosen or another. */
export function choicesFor(
  context: MagicContext,
  rows: readonly { readonly op: string; readonly dtypes: readonly string[]; readonly variant: string }[],
): StoredChoice[] {
  const name = (kernel: (typeof rows)[number]) => `${kernel.op} ${kernel.dtypes} ${kernel.variant}`;
  const shown = new Set(rows.map(name));
  return context.jl.tuning
    .list()
    .filter((choice) =>
      [choice.variant, `${choice.variant}, ${choice.form}`].some((variant) =>
        shown.has(name({ ...choice, variant })),
      ),
    );
}
