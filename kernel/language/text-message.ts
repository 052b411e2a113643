// What the checker says about a text, before magics are taken into account.

/** A message about a span of the converted text. */
export interface TextMessage {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly code: number;
  /** True for text that is no TypeScript, false for TypeScript whose types are wrong. */
  readonly syntax: boolean;
}
