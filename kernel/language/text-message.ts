// The checker's messages about an expanded text.

/** A message about a span of the converted text. */
export interface TextMessage {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly code: number;
  /** True for a syntax error, false for a type error. */
  readonly syntax: boolean;
}

/** TypeScript's text without the half character that it leaves where it shortens a type. */
export const wholeCharacters = (text: string): string => text.replace(/\p{Cs}(?=\.\.\.)/gu, "");
