// The queue of cells when the kernel fails: the front end still gets its answer.
import { expect, test } from "vitest";
import type { Conversion } from "../../dist/kernel/language/language.js";
import type { Fields, Message } from "../../dist/kernel/protocol/message.js";
import { CellQueue, type QueueParts } from "../../dist/kernel/server/cell-queue.js";

const converted: Conversion = {
  ...{ js: "", sourceMap: "", hasTopLevelAwait: false, lastExpression: undefined },
  ...{ files: {}, errors: [], warnings: [] },
};

/** A queue over parts that do nothing, but for a history that fails over some cells; and what it says. */
function queueWithBrokenHistory() {
  const said: string[] = [];
  const replies: Fields[] = [];
  let answered: () => void = () => undefined;
  const parts = {
    publisher: {
      ownCell: () => undefined,
      flush: () => undefined,
      status: (state: string, { msg_id }: { msg_id: string }) => {
        said.push(`${msg_id} ${state}`);
        if (state === "idle") answered();
      },
      publish: (type: string) => said.push(type),
    },
    history: {
      add: (_: number, code: string) => {
        if (code === "fails") throw new Error("the disk is full");
      },
    },
    language: { convert: async () => converted },
    executor: { run: async () => ({ error: undefined, userExpressions: {} }) },
    reply: (_: Message, content: Fields) => replies.push(content),
  };
  const queue = new CellQueue(parts as unknown as QueueParts);
  const run = (id: string, code: string): Promise<void> => {
    const request = { header: { msg_id: id }, metadata: {}, content: { code } };
    return new Promise((resolve) => {
      answered = resolve;
      queue.add(request as unknown as Message);
    });
  };
  return { said, replies, run };
}

test("a cell over which the kernel fails is answered with the error, and the next one runs", async () => {
  const { said, replies, run } = queueWithBrokenHistory();
  await run("a", "fails");
  expect(said).toEqual(["a busy", "error", "a idle"]);
  expect(replies).toMatchObject([
    {
      status: "error",
      ename: "KernelError",
      evalue: "The kernel could not finish this cell: the disk is full",
    },
  ]);
  await run("b", "1");
  expect(said.slice(3)).toEqual(["b busy", "execute_input", "b idle"]);
  expect(replies[1]).toMatchObject({ status: "ok" });
});

test("a file's cell that is interrupted while it is checked does not run, and declares nothing", async () => {
  const ran: string[] = [];
  const forgotten: string[] = [];
  const answer = await new Promise<Fields>((resolve) => {
    const queue: CellQueue = new CellQueue({
      publisher: { ownCell: () => undefined, status: () => undefined, publish: () => undefined },
      history: { add: () => undefined },
      language: {
        convert: async (code: string) => {
          if (code === "inner") queue.interrupt();
          return { ...converted, js: code };
        },
        forget: async (filename: string) => forgotten.push(filename),
      },
      executor: {
        run: async ({ js }: { js: string }) => {
          ran.push(js);
          queue.parentRequest({ kind: "run", cells: [{ code: "inner", name: "file.ts" }] });
          return { error: undefined, userExpressions: {} };
        },
      },
      reply: (_: Message, content: Fields) => resolve(content),
    } as unknown as QueueParts);
    queue.add({
      header: { msg_id: "a" },
      metadata: {},
      content: { code: "%run file.ts" },
    } as unknown as Message);
  });
  expect(answer).toMatchObject({ status: "error", ename: "Interrupted" });
  expect({ ran, forgotten }).toEqual({ ran: ["%run file.ts"], forgotten: ["In[1: file.ts]"] });
});
