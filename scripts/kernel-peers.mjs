// Fetches the kernels that `npm run bench -- kernel` compares ours with into build/peers: ipykernel in a separate environment,
// and Deno. tslab is a dependency already. Run again, it fetches only what is missing.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../build/peers", import.meta.url));
const environment = join(folder, "ipykernel");

const peers = [
  {
    name: "ipykernel",
    file: join(environment, "bin", "ipython"),
    commands: [
      ["python3", "-m", "venv", environment],
      [join(environment, "bin", "pip"), "install", "--quiet", "--retries", "0", "ipykernel>=7,<8"],
    ],
  },
  {
    name: "deno",
    file: join(folder, "node_modules", "deno"),
    commands: [
      ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel", "error", "deno@2"],
    ],
  },
];

mkdirSync(folder, { recursive: true });
for (const { name, file, commands } of peers) {
  try {
    if (existsSync(file)) continue;
    for (const [command, ...args] of commands) execFileSync(command, args, { stdio: "inherit" });
    console.log(`Fetched ${name} into ${folder}`);
  } catch (error) {
    console.error(`\nNOT FETCHED: ${name}: ${error.message}\n`);
    process.exitCode = 1;
  }
}
