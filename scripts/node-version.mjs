// Ends the build with one line if Node is too old. The build imports it first, because its other modules fail on an old Node.
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [, oldest] = /(\d+\.\d+)/.exec(engines.node);
const [major, minor] = oldest.split(".").map(Number);
const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(
    `This is Node ${process.version}; jitlab needs ${oldest} or newer. \`npm install --global --prefix .venv node@22\` puts one into a virtual environment .venv; then repeat \`npm ci\`.`,
  );
  process.exit(1);
}
