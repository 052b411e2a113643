// The version of Node that jitlab needs. Imports nothing, so that every Node can load it.
const oldest = [20, 19] as const;

/** The problem and the remedy if a Node is too old, otherwise undefined. */
export function oldNode(version = process.versions.node): { problem: string; help: string } | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldest;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return {
    problem: `This is Node v${version}; jitlab needs ${oldest.join(".")} or newer.`,
    help: "Install one from https://nodejs.org or, in an activated virtual environment .venv, by `npm install --global --prefix .venv node@22`; then run `npm rebuild` and `jitlab install`.",
  };
}
