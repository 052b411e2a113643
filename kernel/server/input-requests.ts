// Questions of cells to the user, over the stdin socket.
import type { Message, Wire } from "../protocol/message.js";
import type { Channel } from "../protocol/sockets.js";
import { receivedMessage } from "./received.js";

interface Question {
  readonly id: string;
  answer(value: string): void;
}

/** Asks one question at a time; drops answers without a question. */
export class InputRequests {
  private question: Question | undefined;

  constructor(
    private readonly channel: Channel,
    private readonly wire: Wire,
  ) {
    channel.listen((frames) => this.receive(frames));
  }

  /** Asks the client that sent the cell. */
  ask(request: Message, prompt: string, password: boolean, answer: (value: string) => void): void {
    const { header: parent, identities } = request;
    const content = { prompt, password };
    const message = this.wire.message({ type: "input_request", content, parent, identities });
    this.question = { id: message.header.msg_id, answer };
    this.channel.send(this.wire.encode(message));
  }

  private receive(frames: Buffer[]): void {
    const message = receivedMessage(this.wire, "stdin", frames);
    const { question } = this;
    if (message?.header.msg_type !== "input_reply" || question === undefined) return;
    // Many clients leave the parent of an input_reply empty.
    const answered = message.parent.msg_id;
    if (answered !== undefined && answered !== question.id) return;
    this.question = undefined;
    question.answer(String(message.content.value ?? ""));
  }
}
