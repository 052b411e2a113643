// Warms up V8 when a device is opened. The first call of a process runs code that V8 has not compiled yet: the loop nest,
// the renderer, the cache, the driver's bindings. That takes ten times as long as fetching a stored kernel. So some devices
// make a call when they are opened, with a kernel that an earlier process compiled when it was idle.
import { setImmediate } from "node:timers";
import { dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { uncounted } from "../cache/counters.js";
import { readFunctors } from "../codegen/maps/render.js";
import type { Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import { functorOfOp } from "../functor/functor.js";
import type { View } from "../geometry/view.js";
import { ops } from "../ops/index.js";
import { dispatch } from "./map-launch.js";
import { isCached, obtainLater } from "./obtain.js";
import { requestOf } from "./requests.js";
import { resolved } from "./resolve.js";
import { sendTo } from "./sink.js";
import { unlisted } from "./timings.js";

const functor = functorOfOp("warm_up", ops.fmod);

const element = { shape: [1], strides: [1], dtype: dtypes.float32, size: 1, isContiguous: true };

/** Makes one call on a device that was just opened, or has its kernel compiled later for the next process. */
export function warmUp(device: Device): void {
  const sample: View = { ...element, device, pointer: 0 };
  const request = requestOf(resolved(functor, [sample, sample], {}).spec, device.target);
  if (!isCached(request)) {
    // After the first calls, which must not wait for this compile.
    setImmediate(() => obtainLater(request));
    return;
  }
  readFunctors();
  const inMemory = (): View => {
    const storage = allocate(device, element.dtype.bytes);
    return { ...element, device, storage, pointer: storage.pointer };
  };
  const x = inMemory();
  const sink = sendTo(undefined);
  try {
    unlisted(() => uncounted(() => dispatch(functor, [x, x], inMemory)));
  } catch (error) {
    // Ignored: the user's first call reports it.
    if (!(error instanceof JitlabError)) throw error;
  } finally {
    sendTo(sink);
  }
}
