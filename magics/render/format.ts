// Formats numbers: times with IPython's units and digits, bytes, counts, ratios.

const units = ["s", "ms", "μs", "ns"] as const;
const spans: readonly (readonly [suffix: string, seconds: number])[] = [
  ["d", 86400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
];

/** Seconds in IPython's format: `1.37 s`, `8.26 ns`, and from a minute on `1min 2s`. */
export function formatTime(seconds: number, precision = 3): string {
  if (seconds >= 60) {
    const parts: string[] = [];
    let left = seconds;
    for (const [suffix, length] of spans) {
      const count = Math.floor(left / length);
      if (count > 0) parts.push(`${count}${suffix}`);
      left %= length;
      if (left < 1) break;
    }
    return parts.join(" ");
  }
  const order = seconds > 0 ? Math.max(0, Math.min(-Math.floor(Math.log10(seconds) / 3), 3)) : 3;
  return `${Number((seconds * 1000 ** order).toPrecision(precision))} ${units[order]}`;
}

/** Milliseconds in the format of {@link formatTime}; an en dash for none. */
export function formatMs(ms: number | undefined): string {
  return ms === undefined || ms === 0 ? "–" : formatTime(ms / 1e3);
}

/** Bytes with a binary unit: `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const names = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let order = 0;
  let amount = bytes;
  while (amount >= 1024 && order < names.length - 1) {
    amount /= 1024;
    order++;
  }
  const digits = order === 0 || amount >= 100 ? 0 : 1;
  return `${amount.toFixed(digits)} ${order === 0 && bytes === 1 ? "byte" : names[order]}`;
}

/** A whole number exactly, another one with four digits or without a fraction: `123456`, `2.346`, `98765`. */
export function formatValue(value: number): string {
  const isLong = Math.abs(value) >= 1e4 && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (isLong || Number.isInteger(value)) return String(Math.round(value));
  return String(Number(value.toPrecision(4)));
}

/** A count with separators: `12,345`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** `1 kernel`, `3 kernels`, `2 launches`. */
export function plural(count: number, noun: string): string {
  const ending = count === 1 ? "" : noun.endsWith("ch") ? "es" : "s";
  return `${formatCount(count)} ${noun}${ending}`;
}

/** A ratio to two significant digits: `4,200×`. */
export function formatRatio(ratio: number): string {
  return `${formatCount(Number(ratio.toPrecision(2)))}×`;
}

/** How long ago a moment was: `3 minutes ago`. */
export function formatAge(ms: number): string {
  const steps: readonly (readonly [noun: string, ms: number])[] = [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
  ];
  for (const [noun, length] of steps) {
    if (ms >= length) return `${plural(Math.floor(ms / length), noun)} ago`;
  }
  return "just now";
}
