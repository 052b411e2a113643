// The tables of the kernel database, and the statements on them.

/** The database's user_version, and part of every key: an older database is emptied, a newer one is not used. */
export const schemaVersion = 4;

/** Empties a database of any version and makes its tables. */
export const createTables = `
DROP TABLE IF EXISTS module;
DROP TABLE IF EXISTS kernel;
DROP TABLE IF EXISTS lease;
DROP TABLE IF EXISTS choice;
DROP TABLE IF EXISTS run;
CREATE TABLE module (
  sha TEXT PRIMARY KEY,          -- SHA-256 of binary
  binary BLOB NOT NULL,
  text_sha TEXT NOT NULL,        -- SHA-256 of assembly and log
  assembly TEXT NOT NULL,        -- PTX, or the host's assembly
  log TEXT NOT NULL,
  kind TEXT NOT NULL,            -- of the device: cuda, cpu, wasm
  arch TEXT NOT NULL,
  compiler TEXT NOT NULL,
  flags TEXT NOT NULL,           -- separated by spaces
  compile_ms REAL NOT NULL,
  created_at INTEGER NOT NULL,   -- milliseconds since the epoch
  host TEXT NOT NULL,            -- who compiled it
  pid INTEGER NOT NULL
);
CREATE TABLE kernel (
  key TEXT PRIMARY KEY,
  module TEXT NOT NULL,          -- module.sha
  seal TEXT NOT NULL,            -- made by seal.ts and checked at every fetch
  symbol TEXT NOT NULL,
  op TEXT NOT NULL,
  variant TEXT NOT NULL,
  dtypes TEXT NOT NULL,          -- JSON
  compile_ms REAL NOT NULL,      -- its share of the module's
  last_use INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  source TEXT NOT NULL
);
CREATE INDEX module_arch ON module (arch);
CREATE INDEX kernel_module ON kernel (module);
CREATE INDEX kernel_last_use ON kernel (last_use);
CREATE TABLE lease (
  key TEXT PRIMARY KEY,          -- a kernel that is being compiled
  host TEXT NOT NULL,            -- by whom
  pid INTEGER NOT NULL,
  start TEXT NOT NULL,
  since INTEGER NOT NULL
);
PRAGMA user_version = ${schemaVersion};
`;

// Damage can turn any value into invalid UTF-8, which makes the SQLite binding end the process. So every column is read with
// an explicit type, and text as bytes.
const text = (column: string, name = column) => `CAST(${column} AS BLOB) AS ${name}`;
const number = (expression: string, name = expression) => `CAST(${expression} AS REAL) AS ${name}`;

/** Every statement on the tables, by its purpose. */
export const statements = {
  fetch: `SELECT ${text("kernel.module", "module")}, ${text("kernel.symbol", "symbol")}, ${text("kernel.seal", "seal")},
      ${text("module.compiler", "compiler")}, ${number("kernel.compile_ms", "compile_ms")}, ${text("module.binary", "binary")}
    FROM kernel JOIN module ON module.sha = kernel.module WHERE kernel.key = ?`,
  fetchText: `SELECT ${text("module.text_sha", "text_sha")}, ${text("module.assembly", "assembly")},
      ${text("module.log", "log")}
    FROM kernel JOIN module ON module.sha = kernel.module WHERE kernel.key = ?`,
  has: "SELECT 1 AS found FROM kernel WHERE key = ?",
  knows: "SELECT 1 AS found FROM module WHERE arch = ? LIMIT 1",
  lease: `SELECT ${text("host")}, ${number("pid")}, ${text("start")}, ${number("since")} FROM lease WHERE key = ?`,
  takeLease: "INSERT OR REPLACE INTO lease (key, host, pid, start, since) VALUES (?, ?, ?, ?, ?)",
  dropLease: "DELETE FROM lease WHERE key = ? AND host = ? AND pid = ? AND start = ?",
  putModule: `INSERT OR REPLACE INTO module
    (sha, binary, text_sha, assembly, log, kind, arch, compiler, flags, compile_ms, created_at, host, pid)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  putKernel: `INSERT OR REPLACE INTO kernel
    (key, module, seal, symbol, op, variant, dtypes, compile_ms, last_use, hits, source)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
  // The stamp is written at most once a day; a clock that was set back counts as a new day.
  use: `UPDATE kernel SET hits = hits + ?2, last_use = CASE WHEN ABS(?3 - last_use) > ?4 THEN ?3 ELSE last_use END
    WHERE key = ?1`,
  removeModule: "DELETE FROM module WHERE sha = (SELECT module FROM kernel WHERE key = ?)",
  removeWithSiblings:
    "DELETE FROM kernel WHERE key = ?1 OR module = (SELECT module FROM kernel WHERE key = ?1)",
  removeKernel: "DELETE FROM kernel WHERE key = ?",
  removeOrphans: "DELETE FROM module WHERE sha NOT IN (SELECT module FROM kernel)",
  // A module's bytes are divided among its kernels.
  list: `SELECT ${text("kernel.key", "key")}, ${text("kernel.op", "op")}, ${text("kernel.variant", "variant")},
      ${text("kernel.dtypes", "dtypes")}, ${number("kernel.compile_ms", "compile_ms")},
      ${number("kernel.last_use", "last_use")}, ${number("kernel.hits", "hits")}, ${text("module.kind", "kind")},
      ${text("module.arch", "arch")}, ${text("module.compiler", "compiler")},
      ${number("module.created_at", "created_at")}, ${text("module.host", "host")}, ${number("module.pid", "pid")},
      ${number(
        `LENGTH(kernel.source) + (LENGTH(module.binary) + LENGTH(module.assembly) + LENGTH(module.log)) /
        (SELECT COUNT(*) FROM kernel AS sibling WHERE sibling.module = kernel.module)`,
        "bytes",
      )}
    FROM kernel JOIN module ON module.sha = kernel.module ORDER BY kernel.last_use DESC, kernel.rowid DESC`,
  // The kernels of the same op stored before this one, and itself last.
  relatives: `SELECT ${text("kernel.key", "key")}, ${text("kernel.module", "module")}, ${text("kernel.symbol", "symbol")},
      ${text("kernel.variant", "variant")}, ${text("kernel.dtypes", "dtypes")}, ${text("kernel.source", "source")},
      ${text("module.kind", "kind")}, ${text("module.arch", "arch")}, ${text("module.compiler", "compiler")},
      ${text("module.flags", "flags")}
    FROM kernel AS own JOIN kernel ON kernel.op = own.op AND kernel.rowid <= own.rowid
      JOIN module ON module.sha = kernel.module
    WHERE own.key = ? ORDER BY kernel.rowid`,
  modules: `SELECT ${text("sha")} FROM module ORDER BY rowid`,
  module: `SELECT ${text("binary")}, ${text("text_sha")}, ${text("assembly")}, ${text("log")}, ${text("kind")},
      ${text("arch")}, ${text("compiler")}, ${text("flags")}, ${number("compile_ms")}, ${number("created_at")},
      ${text("host")}, ${number("pid")} FROM module WHERE sha = ?`,
  kernelsOf: `SELECT ${text("key")}, ${text("seal")}, ${text("symbol")}, ${text("op")},
      ${text("variant")}, ${text("dtypes")}, ${text("source")}, ${number("compile_ms")}
    FROM kernel WHERE module = ? ORDER BY rowid`,
  totals: `SELECT COUNT(*) AS kernels, ${number("IFNULL(SUM(hits), 0)", "hits")},
      ${number("IFNULL(SUM(hits * compile_ms), 0)", "saved")} FROM kernel`,
  keys: `SELECT rowid AS id, ${text("key")} FROM kernel`,
  removeRow: "DELETE FROM kernel WHERE rowid = ?",
} as const;

/** The name of a statement. */
export type StatementName = keyof typeof statements;
