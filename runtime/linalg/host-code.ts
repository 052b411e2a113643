// The routines over batches of matrices for devices without a library of their own: the operands are copied to the host, and
// the host's library computes, or scalar code where there is none.
import type { TypedArray } from "../base/dtype.js";
import { DeviceError } from "../base/errors.js";
import type { Device } from "../device/device.js";
import { copyToDevice, copyToHost } from "../device/host-copy.js";
import type { MatrixCode, MatrixForm, MatrixLibrary } from "../device/matrix-library.js";
import { type MatrixOperand, operandsOf } from "../device/matrix-operands.js";
import { computeScalars } from "./scalar/routines.js";

/** Code on the host for a routine over a device's memory. */
export function hostCode(device: Device, form: MatrixForm, library: MatrixLibrary | undefined): MatrixCode {
  const operands = operandsOf(form);
  return {
    run: (addresses) => {
      const arrays = operands.map((operand) => hostArray(operand, form.batch));
      const bytes = arrays.map(({ buffer }) => new Uint8Array(buffer));
      for (const [i, { use }] of operands.entries()) {
        const own = bytes[i] as Uint8Array;
        if (use !== "written" && own.length > 0) copyToHost(device, addresses[i] as number, own);
      }
      const statuses = library?.addressOf
        ? library.load(form).run(bytes.map((own) => library.addressOf?.(own) as number))
        : computeScalars(form, arrays);
      for (const [i, { use }] of operands.entries()) {
        const own = bytes[i] as Uint8Array;
        const isResult = use === "written" || use === "overwritten";
        if (isResult && own.length > 0) copyToDevice(device, addresses[i] as number, own);
      }
      return statuses;
    },
  };
}

/** An operand on the host, in a buffer of its own, which does not move. */
function hostArray({ dtype, rows, columns }: MatrixOperand, batch: number): TypedArray {
  const bytes = rows * columns * batch * dtype.bytes;
  try {
    return new dtype.array(new ArrayBuffer(bytes));
  } catch (error) {
    throw new DeviceError(
      "out-of-memory",
      `The host has no memory for a copy of ${batch} matrices of ${rows} x ${columns}: ${(error as Error).message}.`,
      "Compute with fewer matrices at once.",
    );
  }
}
