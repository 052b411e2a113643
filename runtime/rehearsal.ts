// The first call of a process runs code that the engine has not compiled yet: the iterator, the renderer, the cache, the
// driver's bindings. That takes ten times as long as fetching a stored kernel. So a device may make a call of its own at the
// end of its opening, with a kernel that an earlier process compiled when it was idle.
import { setImmediate } from "node:timers";
import { uncounted } from "./cache/counters.js";
import { compileLater, isCached } from "./cache/kernels.js";
import { readFunctors } from "./codegen/render.js";
import { provideServices } from "./device/helper.js";
import { dtypes } from "./dtype.js";
import { JitlabError } from "./errors.js";
import { plannedSpec } from "./explain.js";
import { functorOfOp } from "./functor.js";
import { requestOf } from "./kernel.js";
import { functionOf, methodOf } from "./operations.js";
import { ops } from "./ops/index.js";
import { emptyTensor, type Tensor } from "./tensor.js";
import { unlisted } from "./timings.js";

const functor = functorOfOp("rehearsal", ops.fmod);
const method = methodOf(
  functionOf(
    2,
    () => functor,
    () => undefined,
  ) as (...args: unknown[]) => Tensor,
);

provideServices({
  rehearse: (device) => {
    const request = requestOf(plannedSpec(functor, device.target), device.target);
    if (!isCached(request)) {
      // After the calls that the device is opened for: they must not wait for this compile.
      setImmediate(() => compileLater(request));
      return;
    }
    readFunctors();
    const x = emptyTensor([1], [1], dtypes.float32, device);
    try {
      unlisted(() => uncounted(() => method.call(x, x)));
    } catch (error) {
      // What is wrong is met again, and told, by the user's first call.
      if (!(error instanceof JitlabError)) throw error;
    }
  },
});
