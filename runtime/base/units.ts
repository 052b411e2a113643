// Measured values: parses sizes and durations, writes sizes, and finds the median.

const sizes: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };
const durations: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** The bytes of a size such as `500M` or `1GiB`; undefined for zero, negative and invalid ones. */
export function bytesOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?$/i.exec(text.trim()) ?? [];
  const bytes = Number(digits) * (sizes[unit.toUpperCase()] ?? 1);
  return bytes > 0 && Number.isFinite(bytes) ? bytes : undefined;
}

/** The milliseconds of a duration such as `90s`, `5min`, `12h` or `30d`; undefined for anything else. */
export function millisecondsOf(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d+)(s|min|h|d)$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (durations[unit] ?? 1);
}

/** A size as text: `16 bytes`, `3.2 GiB`. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${units[step]}`;
}

/** The middle value, or the mean of the middle two; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  const low = sorted[sorted.length % 2 === 1 ? middle : middle - 1] ?? Number.NaN;
  return (low + high) / 2;
}
