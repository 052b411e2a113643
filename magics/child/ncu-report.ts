// What Nsight Compute counted, from the pages that `ncu --import ... --csv` prints: one table of instructions for each launch, and
// one row of metrics.

/** The counters of one instruction. */
export interface InstructionCounters {
  readonly opcode: string;
  /** The samples of warps that were at it. */
  readonly samples: number;
  /** Why most of these warps did not go on: ncu's name, such as `long_sb`. */
  readonly stall: string;
  /** The 32-byte sectors of memory that it moved, and how many dense accesses would need; 0 where it moved none. */
  readonly sectors: number;
  readonly ideal: number;
}

/** The counters of one launch. */
export interface LaunchCounters {
  /** Shares of the peak, in percent. */
  readonly memory: number;
  readonly arithmetic: number;
  readonly us: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly instructions: readonly InstructionCounters[];
}

const scales: Readonly<Record<string, number>> = {
  byte: 1,
  Kbyte: 1e3,
  Mbyte: 1e6,
  Gbyte: 1e9,
  ns: 1e-3,
  us: 1,
  ms: 1e3,
  s: 1e6,
};

/** The counters of the launches of a report, in their order, from its pages `source` and `raw`. */
export function countersOf(source: string, raw: string): LaunchCounters[] {
  const [names = [], units = [], ...rows] = csvRows(raw).filter((row) => row.length > 1);
  const tables = instructionTables(csvRows(source));
  return rows.map((row, i) => {
    const value = (name: string) => {
      const at = names.indexOf(name);
      const number = Number((row[at] ?? "").replaceAll(",", ""));
      return number * (scales[units[at] ?? ""] ?? 1);
    };
    return {
      memory: value("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"),
      arithmetic: value("sm__throughput.avg.pct_of_peak_sustained_elapsed"),
      us: value("gpu__time_duration.sum"),
      bytesRead: value("dram__bytes_read.sum"),
      bytesWritten: value("dram__bytes_write.sum"),
      instructions: tables[i] ?? [],
    };
  });
}

function instructionTables(rows: readonly (readonly string[])[]): InstructionCounters[][] {
  const tables: InstructionCounters[][] = [];
  let head: readonly string[] = [];
  for (const row of rows) {
    if (row[0] === "Kernel Name") tables.push([]);
    else if (row[0] === "Address" || row[0] === "#") head = row;
    else if (row.length === head.length) tables.at(-1)?.push(instructionOf(head, row));
  }
  return tables;
}

function instructionOf(head: readonly string[], row: readonly string[]): InstructionCounters {
  const value = (name: string) => Number(row[head.indexOf(name)] || 0) || 0;
  let [stall, most] = ["", 0];
  head.forEach((name, i) => {
    // A selected warp went on.
    if (!/^stall_\w+$/.test(name) || name === "stall_selected" || Number(row[i]) <= most) return;
    [stall, most] = [name.slice("stall_".length), Number(row[i])];
  });
  const text = row[head.indexOf("Source")] ?? "";
  return {
    opcode: /^\s*(?:@!?\w+\s+)?([\w.]+)/.exec(text)?.[1] ?? "",
    samples: value("# Samples"),
    stall,
    sectors: value("L2 Theoretical Sectors Global"),
    ideal: value("L2 Theoretical Sectors Global Ideal"),
  };
}

/** Lines of quoted fields; other lines, such as ncu's messages, are left out. */
function csvRows(text: string): string[][] {
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith('"')) return [];
    const fields = [...line.matchAll(/"((?:[^"]|"")*)"|(?<=,|^)([^",]*)(?=,|$)/g)];
    return [fields.map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain)];
  });
}
