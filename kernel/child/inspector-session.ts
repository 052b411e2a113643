// A debugger's session with the main thread's inspector, held by the watch thread: it is awake while the main thread is
// stopped. No port is opened. Without a debugger there is no session.
import { Session } from "node:inspector";
import type { DevtoolsRequest, FromWatch } from "./channel.js";

// Sent before a stopped main thread continues, so that a pending signal arrives first.
const signalMs = 20;

type Post = (method: string, params: object, done: (error: Error | null, result: object) => void) => void;

/** The session, opened by its first message. */
export class InspectorSession {
  private session: Session | undefined;
  /** Whether the main thread is stopped. */
  stopped = false;

  constructor(private readonly tell: (message: FromWatch) => void) {}

  /** Sends a message to the inspector; the answer has its number. */
  post({ id, method, params }: DevtoolsRequest): void {
    this.session ??= this.open();
    (this.session.post as Post)(method, params, (error, result) =>
      this.tell(error ? { id, error: error.message } : { id, result }),
    );
  }

  /** Lets a stopped main thread continue, into the pending signal. */
  resumeForSignal(): void {
    if (this.stopped) setTimeout(() => this.session?.post("Debugger.resume"), signalMs);
  }

  /** Ends the session; a stopped main thread continues. */
  close(): void {
    this.session?.disconnect();
    this.session = undefined;
    this.stopped = false;
  }

  private open(): Session {
    const session = new Session();
    session.connectToMainThread();
    session.on("inspectorNotification", (message) => {
      const { method, params } = message as unknown as { readonly method: string; readonly params: object };
      if (method === "Debugger.paused") this.stopped = true;
      if (method === "Debugger.resumed") this.stopped = false;
      this.tell({ method, params });
    });
    return session;
  }
}
