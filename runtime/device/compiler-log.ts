// A compiler log of bounded size: one wrong character can make a compiler print gigabytes.

// Far more than anyone reads. The first error is the important one; the last lines say how the compiler ended.
const firstChars = 48 * 1024;
const lastChars = 16 * 1024;

/** Keeps the first and the last part of a compiler's output. */
export class CompilerLog {
  #first = "";
  #last = "";
  /** The number of printed characters. */
  length = 0;

  add(text: string): void {
    this.length += text.length;
    const left = firstChars - this.#first.length;
    this.#first += text.slice(0, left);
    this.#last = (this.#last + text.slice(left)).slice(-lastChars);
  }

  /** The log; a line in its middle marks an omitted part. */
  toString(): string {
    const left = this.length - this.#first.length - this.#last.length;
    if (left === 0) return this.#first + this.#last;
    return `${this.#first}\n[... ${left} characters of the compiler's output omitted ...]\n${this.#last}`;
  }
}
