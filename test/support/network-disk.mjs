// Preloaded into a process: every folder says that it lies on NFS.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { statfsSync } = fs;
fs.statfsSync = (path) => ({ ...statfsSync(path), type: 0x6969 });
syncBuiltinESMExports();
