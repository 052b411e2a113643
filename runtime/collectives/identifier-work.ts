// What a thread gets that hands on a communicator's identifier, and how it answers: a state, the bytes' count, and bytes.

/** The task of the thread. */
export interface IdentifierWork {
  readonly memory: SharedArrayBuffer;
  readonly rank: number;
  readonly size: number;
  readonly host: string;
  readonly port: number;
  readonly secret: Uint8Array;
  /** The identifier; empty in all processes but 0. */
  readonly identifier: Uint8Array;
  readonly timeoutMs: number;
}

/** The states of an answer: none yet, the identifier, or the text of a problem. */
export const states = { waiting: 0, ready: 1, failed: 2 } as const;

/** The first byte of the answer. */
export const answerAt = 8;
