// `jitlab cache remote`: the cache that several machines share, from the command line.
import { formatBytes, formatMs, plural } from "../../magics/render/format.js";
import {
  clearRemote,
  pullAll,
  pushAll,
  type RemotePull,
  type RemotePush,
  type RemoteStatus,
  remoteStatus,
} from "../../runtime/cache/remote/transfer.js";
import { isConfirmed } from "./question.js";

interface Action {
  readonly run: (options: RemoteOptions) => Promise<unknown>;
  readonly show: (result: never) => string;
}

const actions = {
  status: { run: remoteStatus, show: showStatus },
  push: {
    run: pushAll,
    show: ({ address, pushed, present }: RemotePush) =>
      `Stored ${plural(pushed, "kernel")} in ${address}; ${present} were already stored.`,
  },
  pull: {
    run: pullAll,
    show: ({ address, pulled, present, refused }: RemotePull) => {
      const note = refused > 0 ? ` ${plural(refused, "kernel")} had a wrong seal and were not fetched.` : "";
      return `Fetched ${plural(pulled, "kernel")} from ${address}; ${present} were already here.${note}`;
    },
  },
  clear: {
    run: clearAsked,
    show: (count: number | undefined) =>
      count === undefined ? "Nothing was deleted." : `Deleted ${plural(count, "kernel")}.`,
  },
} as const satisfies Record<string, Action>;

/** The actions of `jitlab cache remote`. */
export type RemoteAction = keyof typeof actions;

/** The options of `jitlab cache remote`. */
export interface RemoteOptions {
  readonly json?: boolean;
  /** Clears without asking. */
  readonly yes?: boolean;
}

/** Runs one action of `jitlab cache remote` and prints its result as text or JSON. */
export async function runRemoteCommand(action: RemoteAction, options: RemoteOptions): Promise<void> {
  const record: Action = actions[action];
  const result = await record.run(options);
  console.log(options.json ? JSON.stringify(result, null, 2) : record.show(result as never));
}

/** Undefined if the answer was no. */
async function clearAsked({ yes }: RemoteOptions): Promise<number | undefined> {
  if (!yes) {
    const { address, kernels } = await remoteStatus();
    const question = `Delete ${plural(kernels, "kernel")} of everybody who shares ${address}?`;
    if (!(await isConfirmed(question, "jitlab cache remote clear", "nobody needs them"))) return undefined;
  }
  return clearRemote();
}

function showStatus({ address, answerMs, kernels, bytes }: RemoteStatus): string {
  return [
    `address   ${address}`,
    `answers   in ${formatMs(answerMs)}`,
    `kernels   ${kernels}`,
    `size      ${formatBytes(bytes)}`,
  ].join("\n");
}
