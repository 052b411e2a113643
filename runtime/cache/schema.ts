// The tables of the kernel database, and the statements on them.

/** Written to the database as its user_version, and part of every key: older databases are emptied, newer ones left alone. */
export const schemaVersion = 1;

/** Makes the tables of an empty database. */
export const createTables = `
CREATE TABLE module (
  sha TEXT PRIMARY KEY,          -- SHA-256 of binary
  binary BLOB NOT NULL,
  assembly TEXT NOT NULL,        -- PTX, or the host's assembly
  log TEXT NOT NULL,
  text_sha TEXT NOT NULL,        -- SHA-256 of assembly and log
  arch TEXT NOT NULL,
  compiler TEXT NOT NULL,
  flags TEXT NOT NULL,
  compile_ms REAL NOT NULL,
  created_at INTEGER NOT NULL,   -- milliseconds since the epoch
  host TEXT NOT NULL,            -- who compiled it
  pid INTEGER NOT NULL
);
CREATE TABLE kernel (
  key TEXT PRIMARY KEY,
  module TEXT NOT NULL,          -- module.sha
  seal TEXT NOT NULL,            -- SHA-256 of key, module and symbol: a damaged index cannot lead to another kernel
  symbol TEXT NOT NULL,
  op TEXT NOT NULL,
  variant TEXT NOT NULL,
  dtypes TEXT NOT NULL,          -- JSON
  source TEXT NOT NULL,
  compile_ms REAL NOT NULL,      -- its share of the module's
  last_use INTEGER NOT NULL,
  hits INTEGER NOT NULL
);
CREATE INDEX kernel_module ON kernel (module);
CREATE INDEX kernel_last_use ON kernel (last_use);
CREATE TABLE lease (
  key TEXT PRIMARY KEY,          -- a kernel that is being compiled
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  start TEXT NOT NULL,
  since INTEGER NOT NULL
);
PRAGMA user_version = ${schemaVersion};
`;

/** Every statement on the tables, by what it does. */
export const statements = {
  fetch: `SELECT kernel.module, kernel.seal, kernel.symbol, kernel.compile_ms, kernel.last_use, module.binary
    FROM kernel JOIN module ON module.sha = kernel.module WHERE kernel.key = ?`,
  fetchText: `SELECT module.text_sha, module.assembly, module.log
    FROM kernel JOIN module ON module.sha = kernel.module WHERE kernel.key = ?`,
  has: "SELECT 1 AS found FROM kernel WHERE key = ?",
  lease: "SELECT host, pid, start, since FROM lease WHERE key = ?",
  takeLease: "INSERT OR REPLACE INTO lease (key, host, pid, start, since) VALUES (?, ?, ?, ?, ?)",
  dropLease: "DELETE FROM lease WHERE key = ? AND host = ? AND pid = ? AND start = ?",
  putModule: `INSERT OR REPLACE INTO module
    (sha, binary, assembly, log, text_sha, arch, compiler, flags, compile_ms, created_at, host, pid)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  putKernel: `INSERT OR REPLACE INTO kernel
    (key, module, seal, symbol, op, variant, dtypes, source, compile_ms, last_use, hits)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
  use: "UPDATE kernel SET hits = hits + ?, last_use = CASE WHEN ABS(? - last_use) > ? THEN ? ELSE last_use END WHERE key = ?",
  removeModule: "DELETE FROM module WHERE sha = (SELECT module FROM kernel WHERE key = ?)",
  removeKernels: "DELETE FROM kernel WHERE key = ? OR module = (SELECT module FROM kernel WHERE key = ?)",
  oldest: `SELECT kernel.key, LENGTH(kernel.source) + IFNULL(LENGTH(module.binary) + LENGTH(module.assembly), 0) AS bytes
    FROM kernel LEFT JOIN module ON module.sha = kernel.module ORDER BY kernel.last_use, kernel.rowid`,
  removeKernel: "DELETE FROM kernel WHERE key = ?",
  removeOrphans: "DELETE FROM module WHERE sha NOT IN (SELECT module FROM kernel)",
  list: `SELECT kernel.key, kernel.op, kernel.variant, kernel.dtypes, kernel.compile_ms, kernel.last_use, kernel.hits,
      module.arch, module.compiler, module.created_at, module.host, module.pid,
      LENGTH(kernel.source) + (LENGTH(module.binary) + LENGTH(module.assembly) + LENGTH(module.log)) /
        (SELECT COUNT(*) FROM kernel AS sibling WHERE sibling.module = kernel.module) AS bytes
    FROM kernel JOIN module ON module.sha = kernel.module ORDER BY kernel.last_use DESC, kernel.rowid DESC`,
  totals:
    "SELECT COUNT(*) AS kernels, IFNULL(SUM(hits), 0) AS hits, IFNULL(SUM(hits * compile_ms), 0) AS saved FROM kernel",
  keys: "SELECT key FROM kernel",
} as const;
