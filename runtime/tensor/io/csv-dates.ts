// Columns of dates in a table of text: recognizes texts of ISO 8601, all of them dates or times of the calendar.
import type { TimeUnit } from "./table.js";

/** The counts of distinct texts from the beginning of 1970, in UTC. */
export interface Dates {
  readonly unit: TimeUnit;
  readonly counts: readonly bigint[];
}

const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const day = 86_400_000;
/** The units by the digits of a fraction of a second that they hold. */
const units = [
  { digits: 3, unit: "ms" },
  { digits: 6, unit: "us" },
  { digits: 9, unit: "ns" },
] as const;

interface Parts {
  /** Since 1970, in milliseconds without the fraction of a second. */
  readonly ms: number;
  readonly fraction: string;
  readonly isTime: boolean;
  readonly hasZone: boolean;
}

/** The dates of a column's distinct texts; undefined unless each text is one, and all or none of them have a time zone. */
export function datesOf(texts: readonly string[]): Dates | undefined {
  const parts: Parts[] = [];
  for (const text of texts) {
    const part = partsOf(text);
    if (part === undefined || part.hasZone !== (parts[0] ?? part).hasZone) return undefined;
    parts.push(part);
  }
  if (parts.length === 0) return undefined;
  if (parts.every(({ isTime }) => !isTime))
    return { unit: "days", counts: parts.map(({ ms }) => BigInt(ms / day)) };
  const longest = Math.max(...parts.map(({ fraction }) => fraction.length));
  const found = units.find(({ digits }) => digits >= longest);
  if (found === undefined) return undefined;
  const { digits, unit } = found;
  const counts = parts.map(
    ({ ms, fraction }) => BigInt(ms / 1000) * 10n ** BigInt(digits) + BigInt(fraction.padEnd(digits, "0")),
  );
  // Nanoseconds reach from 1677 to 2262.
  return counts.every((count) => BigInt.asIntN(64, count) === count) ? { unit, counts } : undefined;
}

function partsOf(text: string): Parts | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, year, month, date, hour, minute, second = "0", fraction = "", zone] = found;
  const [days, h, m, s] = [Number(date), Number(hour ?? 0), Number(minute ?? 0), Number(second)];
  const moment = new Date(0);
  moment.setUTCFullYear(Number(year), Number(month) - 1, days);
  // A day that no month has is another one here.
  if (moment.getUTCMonth() !== Number(month) - 1 || moment.getUTCDate() !== days) return undefined;
  if (h > 23 || m > 59 || s > 59) return undefined;
  const offset = zone === undefined || zone === "Z" ? 0 : minutesOf(zone);
  const ms = moment.getTime() + (h * 60 + m - offset) * 60_000 + s * 1000;
  return { ms, fraction, isTime: hour !== undefined, hasZone: zone !== undefined };
}

/** The minutes by which a time zone is ahead of UTC. */
function minutesOf(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith("-") ? -minutes : minutes;
}
