// Convolutions with stride 1 on the processor: the pool's threads compute them without copies of windows, by convolution.cpp.
import { argumentBlock } from "../argument-blocks.js";
import type { ConvolutionForm, ConvolutionLibrary, WorkingCode } from "../convolution-library.js";
import type { Device } from "../device.js";
import { getNumThreads } from "../thread-count.js";
import { ownCode } from "./own-code.js";
import { poolOf } from "./pool.js";

// As in convolution.cpp: channels of the output that are computed together, vectors of each, bytes of a vector, and
// the most elements of a window.
const together = 4;
const vectors = 3;
const vectorBytes = 32;
const mostTaps = 64;
const mostChannels = 64;

// What a thread does in a nanosecond, about: multiplications, and elements that are copied.
const speed = { products: 32, copies: 4 };

const bytesOf = { float32: 4, float64: 8 } as const;

/** The convolutions of a processor. */
export function processorConvolutions(device: Device): ConvolutionLibrary {
  return {
    name: "jitlab",
    path: "convolution.cpp",
    load: (form) => (isSuitable(form) ? codeOf(device, form) : undefined),
    loadAttention: () => undefined,
  };
}

/**
 * True where convolutions are faster so than as products of copied windows: with more channels these fill a library's blocks, with
 * fewer, or with short rows, vectors stay empty here. Both gradients on two cores, in microseconds as products and so: 8 images of 16
 * channels of 32 x 32 3 260 and 1 210, 4 images of 64 channels of 56 x 56 25 660 and 23 120, 2 images of 256 channels of 14 x 14 10 810
 * and 15 780.
 */
function isSuitable(form: ConvolutionForm): boolean {
  const { dtype, input, weight, padding, stride, dilation, groups, output } = form;
  if (!isDtype(dtype) || groups !== 1 || stride.some((step) => step !== 1)) return false;
  const [outer, inner, ...window] = weight as [number, number, number, number];
  const isMirrored = window.every(
    (size, d) => (dilation[d] as number) * (size - 1) >= (padding[d] as number),
  );
  if (!isMirrored || window[0] * window[1] > mostTaps) return false;
  const lanes = vectorBytes / bytesOf[dtype];
  const isFilled = (columns: number) => 2 * columns > lanes * Math.ceil(columns / lanes);
  const isWide = isFilled(input[3] as number) && isFilled(output[3] as number);
  return isWide && Math.max(outer, inner) <= mostChannels && outer >= together && inner >= together - 1;
}

function isDtype(name: string): name is keyof typeof bytesOf {
  return name in bytesOf;
}

function codeOf(device: Device, form: ConvolutionForm): WorkingCode {
  const { dtype, result, input, weight, output, dilation } = form;
  const [, , ...window] = weight as [number, number, number, number];
  const isTurned = result === "input";
  // The gradient of the input is a convolution of the output's with the mirrored weight.
  const [images, made] = isTurned ? [output, input] : [input, output];
  const [batch, channels, rows, columns] = images as [number, number, number, number];
  const [, outer, outRows, outColumns] = made as [number, number, number, number];
  const padding = form.padding.map((margin, d) =>
    isTurned ? (dilation[d] as number) * ((window[d] as number) - 1) - margin : margin,
  ) as [number, number];
  const sizes = [
    batch,
    channels,
    outer,
    rows,
    columns,
    outRows,
    outColumns,
    ...window,
    ...dilation,
    ...padding,
  ];
  const block = argumentBlock(8 * (4 + sizes.length + 1));
  block.i64.set([...sizes, isTurned ? 1 : 0].map(BigInt), 4);

  const bytes = bytesOf[dtype as keyof typeof bytesOf];
  const lanes = vectorBytes / bytes;
  const taps = (window[0] as number) * (window[1] as number);
  const blocks = Math.ceil(outer / together);
  const planes = batch * channels;
  const wide = planes * (rows + 2 * padding[0]) * (columns + 2 * padding[1]);
  const packed = result === "weight" ? 0 : blocks * together * channels * taps;
  const products = (batch * outer * outRows * outColumns * channels * taps) / speed.products;

  const pool = poolOf(device);
  const code = ownCode(device, "convolution", "jitlab_convolve_float32");
  const step = (name: string, positions: number, time: number) => {
    const kernel = code.address(`jitlab_${name}_${dtype}`);
    return () => pool.divide(kernel, block.address, positions, Math.ceil(time), getNumThreads());
  };
  const prepare = step("prepare", planes + (packed > 0 ? blocks : 0), (wide + packed) / speed.copies);
  const inImage = Math.ceil((outRows * Math.ceil(outColumns / lanes)) / vectors);
  const compute =
    result === "weight"
      ? step("correlate", blocks * channels, products)
      : step("convolve", batch * inImage, products);
  // Result, images and the other factor, and the memory to work in: a gradient of the input has the weight first.
  const order = isTurned ? [0, 2, 1, 3] : [0, 1, 2, 3];
  return {
    workBytes: (wide + packed) * bytes + vectorBytes,
    code: {
      launch: ({ u32 }) => {
        for (const [to, from] of order.entries()) {
          block.u32[2 * to] = u32[2 * from] as number;
          block.u32[2 * to + 1] = u32[2 * from + 1] as number;
        }
        prepare();
        compute();
      },
      unload: () => block.release(),
    },
  };
}
