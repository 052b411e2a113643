// libcufft: Fourier transforms on a GPU, opened at the first one. Prototypes: cufft.h. A plan works in memory that its caller
// gives, because a recorded graph must keep it.
import { addressIn } from "../argument-blocks.js";
import type { TransformCode, TransformForm, TransformLibrary } from "../device.js";
import { CheckedLibrary, type LibraryHost, type Parameter } from "./checked-library.js";

const int = "int";
const at = "uintptr_t";

// cufft.h: cufftType and the function of each kind, by the bytes of a real number.
const kinds = {
  complex: { 4: [0x29, "cufftExecC2C"], 8: [0x69, "cufftExecZ2Z"] },
  "real to complex": { 4: [0x2a, "cufftExecR2C"], 8: [0x6a, "cufftExecD2Z"] },
  "complex to real": { 4: [0x2c, "cufftExecC2R"], 8: [0x6c, "cufftExecZ2D"] },
} as const;
const CUFFT_FORWARD = -1;
const CUFFT_INVERSE = 1;
const planParameters: readonly Parameter[] = [
  ...[int, int, at, at, "int64_t", "int64_t", at, "int64_t", "int64_t", int, "int64_t"],
  "_Out_ uintptr_t *",
] as Parameter[];

/** Opens the library; throws DeviceError `library-damaged` on failure. */
export function openCufft(path: string, host: LibraryHost): TransformLibrary {
  host.stream();
  const library = new CheckedLibrary(path, {
    title: "cuFFT",
    wheel: "nvidia-cufft",
    noMemory: 2,
    otherwise: "jl.fft then runs compiled kernels",
  });
  const version: [number] = [0];
  library.call("cufftGetVersion", ["_Out_ int *"])(version);
  return {
    name: `cuFFT ${Math.floor(version[0] / 1000)}.${Math.floor(version[0] / 100) % 10}`,
    path,
    mostDims: 3,
    load: (form) => codeOf(library, form, host),
  };
}

function codeOf(library: CheckedLibrary, form: TransformForm, host: LibraryHost): TransformCode {
  const { kind, lengths, batch, isInverse } = form;
  const [type, name] = kinds[kind][form.dtype === "complex64" ? 4 : 8];
  host.stream();
  const made: [number] = [0];
  library.call("cufftCreate", ["_Out_ int *"])(made);
  const plan = made[0];
  const destroy = () => library.call("cufftDestroy", [int])(plan);
  const bytes: [number] = [0];
  try {
    library.call("cufftSetAutoAllocation", [int, int])(plan, 0);
    const block = host.createBlock(8 * lengths.length);
    block.i64.set(lengths.map(BigInt));
    const make = library.call("cufftMakePlanMany64", planParameters);
    make(plan, lengths.length, block.address, 0, 1, 0, 0, 1, 0, type, batch, bytes);
    block.release();
  } catch (error) {
    destroy();
    throw error;
  }
  const setStream = library.call("cufftSetStream", [int, at]);
  const setWork = library.call("cufftSetWorkArea", [int, at]);
  const turns: readonly Parameter[] = kind === "complex" ? [int] : [];
  const execute = library.call(name, [int, at, at, ...turns]);
  const direction = kind === "complex" ? [isInverse ? CUFFT_INVERSE : CUFFT_FORWARD] : [];
  return {
    workBytes: bytes[0],
    code: {
      launch: ({ u32 }) => {
        setStream(plan, host.stream());
        setWork(plan, addressIn(u32, 4));
        execute(plan, addressIn(u32, 2), addressIn(u32, 0), ...direction);
      },
      unload: destroy,
    },
  };
}
