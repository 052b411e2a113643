// Reads the output of the child's native code, in which marks separate the cells.

/** Splits one descriptor's bytes into text and marks. */
export class NativeOutput {
  private rest = "";
  private readonly decoder = new TextDecoder("utf-8", { fatal: false });
  private readonly pattern: RegExp;
  private readonly start: string;
  /** The number of the last mark that arrived. */
  marker = 0;

  constructor(
    token: string,
    private readonly onText: (text: string) => void,
    private readonly onMarker: () => void,
  ) {
    this.start = `\0${token}:`;
    this.pattern = new RegExp(`\\x00${token}:(\\d+)\\x00`);
  }

  /** Takes a chunk as it arrived. */
  receive(chunk: Uint8Array): void {
    this.rest += this.decoder.decode(chunk, { stream: true });
    for (let match = this.pattern.exec(this.rest); match; match = this.pattern.exec(this.rest)) {
      this.emit(this.rest.slice(0, match.index));
      this.rest = this.rest.slice(match.index + match[0].length);
      this.marker = Number(match[1]);
      this.onMarker();
    }
    const incomplete = this.incompleteLength();
    this.emit(this.rest.slice(0, incomplete));
    this.rest = this.rest.slice(incomplete);
  }

  /** Emits the incomplete text at the end of the output. */
  end(): void {
    this.emit(this.rest);
    this.rest = "";
  }

  private emit(text: string): void {
    if (text !== "") this.onText(text);
  }

  // The start of a possibly incomplete mark.
  private incompleteLength(): number {
    const at = this.rest.lastIndexOf("\0");
    if (at < 0) return this.rest.length;
    const tail = this.rest.slice(at);
    const possible =
      tail.length <= this.start.length ? this.start.startsWith(tail) : tail.startsWith(this.start);
    return possible && tail.length < this.start.length + 16 ? at : this.rest.length;
  }
}
