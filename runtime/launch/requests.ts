// What kernels of maps are loaded from: their rendered text for a target, and how launches divide elements.

import {
  argumentLayout,
  dtypeNames,
  isQuick,
  type KernelSpec,
  variantName,
} from "../codegen/maps/map-spec.js";
import { render } from "../codegen/maps/render.js";
import { tableLayout } from "../codegen/maps/table-kernel.js";
import type { Target } from "../device/device.js";
import { joinedTexts, userTexts } from "../functor/functor.js";
import type { LoadRequest } from "./load-request.js";

/** The request of a spec: its rendered text for a target, and how its launches divide elements. */
export function requestOf(spec: KernelSpec, target: Target): LoadRequest {
  const { functor, compute } = spec;
  return {
    ...render(spec),
    argumentBytes: spec.groups === undefined ? argumentLayout(spec).bytes : tableLayout(spec).bytes,
    op: functor.name,
    variant: variantName(spec),
    dtypes: dtypeNames(spec),
    target,
    fma: functor.fma,
    quick: isQuick(spec),
    places: functor.places,
    userText: joinedTexts(userTexts(functor, compute)),
  };
}
