// The child process of probe.ts: prints what OpenCL's drivers say about their devices, after it has opened each and copied to its
// memory and back, so that a driver that cannot do so is found here.
import { JitlabError } from "../../base/errors.js";
import { askDevices, type DeviceFacts, type FoundDevice } from "./facts.js";
import { openCl } from "./library.js";
import type { Answer } from "./probe.js";
import { openQueue } from "./queue.js";

const tried = Uint8Array.from({ length: 64 }, (_, i) => i + 1);

/** The facts of a device, and what it lacks in the end. */
function triedFacts({ handle, facts }: FoundDevice): DeviceFacts {
  if (facts.lacks !== "") return facts;
  const { context, queue } = openQueue(handle);
  const cl = openCl();
  const memory = cl.clSVMAlloc(context, 1n, tried.length, 0);
  const back = new Uint8Array(tried.length);
  const works =
    memory !== 0 &&
    cl.write(queue, 1, memory, tried, tried.length, 0, 0, 0) === 0 &&
    cl.read(queue, 1, back, memory, back.length, 0, 0, 0) === 0 &&
    back.every((value, i) => value === tried[i]);
  return works ? facts : { ...facts, lacks: "working copies to shared virtual memory" };
}

function answer(): Answer {
  try {
    return { devices: askDevices().map(triedFacts) };
  } catch (error) {
    const { code, what, help } =
      error instanceof JitlabError ? error : { code: "driver-failed", what: String(error), help: "" };
    return { error: { code, what, help } };
  }
}

// Drivers print to the same stream.
process.stdout.write(`\njitlab-opencl ${JSON.stringify(answer())}\n`);
