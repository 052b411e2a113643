// Bundles the client of Redis for the shared cache: one file, because loading the sixty of its packages takes twice as long.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);

/** Writes the client and its packages' licenses into a folder. */
export async function bundleRedisClient(to) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: [require.resolve("ioredis")],
    outfile: join(to, "redis-client.cjs"),
    bundle: true,
    platform: "node",
    target: "node20",
    // For profiles; the code does not name it.
    sourcemap: "external",
    metafile: true,
    logLevel: "warning",
  });
  const folders = Object.keys(metafile.inputs).map(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)[0],
  );
  writeFileSync(
    join(to, "redis-client.LICENSES.txt"),
    [...new Set(folders)].sort().map(licenseOf).join("\n\n"),
  );
}

function licenseOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path));
  if (file === undefined) throw new Error(`${name} has no license file`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
