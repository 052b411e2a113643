// Convolutions and their gradients as graphs of one operation of cuDNN. Only engines that add up the products of each element by themselves
// are chosen: transforms (FFT, Winograd) would spread an infinite element to its neighbours.
import { addressIn } from "../argument-blocks.js";
import { type ConvolutionForm, convolutionFactors, type WorkingCode } from "../convolution-library.js";
import type { CheckedLibrary, LibraryHost } from "./checked-library.js";
import { dataTypes, numericalNotes as notes } from "./cudnn-enumerations.js";
import { type EngineGraph, graphCode } from "./cudnn-graph.js";

const mostWorkBytes = 2 ** 30;
// Some engines count elements in 32 bits.
const mostElements = 2 ** 31 - 1;

const inexact = [notes.downConverted, notes.reducedSums, notes.transform, ...notes.winograd];

/** The code of a form; undefined if no engine computes it by sums in one order. */
export function convolutionCode(
  library: CheckedLibrary,
  handle: number,
  form: ConvolutionForm,
  host: LibraryHost,
): WorkingCode | undefined {
  if (!(form.dtype in dataTypes)) return undefined;
  const sizes = [form.input, form.weight, form.output].map((shape) => shape.reduce((a, b) => a * b));
  if (Math.max(...sizes) > mostElements) return undefined;
  return graphCode(library, handle, host, (graph) => described(graph, form));
}

function described(graph: EngineGraph, form: ConvolutionForm): WorkingCode | undefined {
  const type = dataTypes[form.dtype as keyof typeof dataTypes];
  const parts = [form.result, ...convolutionFactors[form.result]] as const;
  const given = parts.map((part) => [part, graph.given(type, form[part])] as const);
  // Products of halves are exact in float32, where they are added up.
  const sums = type === dataTypes.float64 ? type : dataTypes.float32;
  graph.convolution(form, Object.fromEntries(given), sums);
  // Tensor units round float32 to fewer digits.
  const refused = type === dataTypes.float32 ? [...inexact, notes.tensorUnits] : inexact;
  const plan = graph.plan({ refused, mostWorkBytes });
  return (
    plan && {
      workBytes: plan.workBytes,
      code: {
        launch: ({ u32 }) => {
          const [result, first, second, work] = [0, 2, 4, 6].map((word) => addressIn(u32, word));
          plan.run([result, first, second] as number[], work as number);
        },
        unload: () => graph.destroy(),
      },
    }
  );
}
