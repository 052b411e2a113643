// The data that a worker of the compile service gets at its start. Apart from the messages, whose types the package's declarations show to
// programs without the types of Node.
import type { MessagePort } from "node:worker_threads";
import type { RemoteSettings } from "../cache/remote/settings.js";

/** The worker's data at its start. */
export interface WorkerSetup {
  readonly port: MessagePort;
  /** Kept but never read: it closes with the thread. */
  readonly probe: MessagePort;
  /** The memory of the bell that it rings for each answer, and of the one that it rings at its start. */
  readonly bell: SharedArrayBuffer;
  readonly started: SharedArrayBuffer;
  /** The shared cache, if this worker uses one. */
  readonly remote: RemoteSettings | undefined;
}
