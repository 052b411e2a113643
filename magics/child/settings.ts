// %config and similar magics in the child: they read and change settings.
import { type PlotsMode, showPlotsAs } from "../render/showing.js";
import { type Setting, type SettingName, settings } from "../settings.js";
import type { MagicContext } from "./context.js";

const setters: Readonly<Record<SettingName, (context: MagicContext, value: string) => void>> = {
  device: ({ jl }, value) => jl.setDevice(value),
  precision: ({ jl }, value) => jl.setPrintOptions({ precision: Number(value) }),
  plots: (_, mode) => showPlotsAs(mode as PlotsMode),
  typecheck: ({ host }, mode) => host.request({ kind: "typecheck", mode }),
  verify: ({ jl }, value) => void jl.setVerify(value === "true"),
  nan: (context, value) => context.stopAtNan(value === "stop"),
  xmode: (context, mode) => {
    context.host.showErrors(mode);
    context.line(`Exception reporting mode: ${mode}`);
  },
};

/** Shows every setting or one, or sets one. */
export function config(context: MagicContext, name?: SettingName, value?: string): void {
  if (name === undefined) showSettings(context);
  else if (value === undefined) context.line(`${name} = ${current(context, name)}`);
  else {
    setters[name](context, value);
    context.settings.set(name, value);
  }
}

function current({ jl, settings: chosen }: MagicContext, name: SettingName): string {
  if (name === "device") return jl.devices().find((device) => device.isDefault)?.name ?? "none";
  if (name === "verify") {
    const isOn = jl.setVerify(false);
    jl.setVerify(isOn);
    return `${isOn}`;
  }
  const setting: Setting | undefined = settings.find((one) => one.name === name);
  return chosen.get(name) ?? setting?.initial ?? "";
}

function showSettings(context: MagicContext): void {
  context.table({
    columns: [{ title: "setting" }, { title: "value" }, { title: "values" }, { title: "what it is" }],
    rows: settings.map(({ name, doc, ...setting }) => [
      { text: name, code: true },
      current(context, name),
      "choices" in setting ? setting.choices.join(", ") : "",
      doc,
    ]),
    note: "Change one with %config name = value.",
  });
}
