// Advice under messages of Node and of packages that do not say what to do.

interface RuntimeAdvice {
  /** Matches the message, or that of the error's cause. */
  readonly message: RegExp;
  readonly advice: string;
}

const readFile =
  'fetch reads no files: import { readFile } from "node:fs/promises"; await readFile("data.csv", "utf8").';

const advices: readonly RuntimeAdvice[] = [
  // The checker does not know the dtype of every tensor, so it does not find all of these.
  {
    message: /^Cannot mix BigInt and other types/,
    advice:
      "Elements of int64 are bigints, also item() of a sum of integers: Number(x.item()) + 1, or x.item() + 1n.",
  },
  { message: /^Failed to parse URL from (?!\w+:\/\/)/, advice: readFile },
  {
    message: /^Record batch is compressed but codec not found/,
    advice:
      'Write the file without compression: df.to_feather(path, compression="uncompressed"); or give Arrow a codec: compressionRegistry.set(CompressionType.LZ4_FRAME, codec).',
  },
];

/** The advice for a thrown error; undefined for most. `cause` is its cause's message. */
export function runtimeAdvice(message: string, cause: string): string | undefined {
  // Node's fetch of file:.
  if (message === "fetch failed" && /^not implemented/.test(cause)) return readFile;
  return advices.find((one) => one.message.test(message))?.advice;
}
