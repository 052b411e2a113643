// libcudnn: convolutions and attention on a GPU and their gradients, opened at the first one. Prototypes: cudnn_graph.h.
import type { ConvolutionLibrary } from "../convolution-library.js";
import { CheckedLibrary, type LibraryHost } from "./checked-library.js";
import { attentionCode } from "./cudnn-attention.js";
import { convolutionCode } from "./cudnn-convolution.js";

// library_types.h: libraryPropertyType.
const MAJOR_VERSION = 0;
const MINOR_VERSION = 1;

/** Opens the library after those that it needs, which its own search may not find; throws DeviceError `library-damaged`. */
export function openCudnn(path: string, needed: readonly string[], host: LibraryHost): ConvolutionLibrary {
  host.stream();
  const names = {
    title: "cuDNN",
    wheel: "nvidia-cudnn-cu13",
    // CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED
    noMemory: 4004,
    otherwise: "convolutions are then products of copied windows",
  };
  for (const one of needed) new CheckedLibrary(one, { ...names, title: "cuBLAS", wheel: "nvidia-cublas" });
  const library = new CheckedLibrary(path, names);
  const handle: [number] = [0];
  library.call("cudnnCreate", ["_Out_ uintptr_t *"])(handle);
  const property = (which: number): number => {
    const value: [number] = [0];
    library.call("cudnnGetProperty", ["int", "_Out_ int *"])(which, value);
    return value[0];
  };
  return {
    name: `cuDNN ${property(MAJOR_VERSION)}.${property(MINOR_VERSION)}`,
    path,
    load: (form) => convolutionCode(library, handle[0], form, host),
    loadAttention: (form) => attentionCode(library, handle[0], form, host),
  };
}
