// The inspector of the process that runs the cells, as the debugger uses it.
import type { Debugger, Runtime } from "node:inspector";

/** The messages that the debugger sends, with their answers. */
export interface DevtoolsMethods {
  "Debugger.enable": object;
  "Debugger.setBlackboxPatterns": object;
  "Debugger.setPauseOnExceptions": object;
  "Debugger.setBreakpointByUrl": Debugger.SetBreakpointByUrlReturnType;
  "Debugger.removeBreakpoint": object;
  "Debugger.setVariableValue": object;
  "Debugger.evaluateOnCallFrame": Debugger.EvaluateOnCallFrameReturnType;
  "Debugger.resume": object;
  "Debugger.stepOver": object;
  "Debugger.stepInto": object;
  "Debugger.stepOut": object;
  "Debugger.pause": object;
  "Runtime.evaluate": Runtime.EvaluateReturnType;
  "Runtime.callFunctionOn": Runtime.CallFunctionOnReturnType;
  "Runtime.getProperties": Runtime.GetPropertiesReturnType;
  "Runtime.releaseObjectGroup": object;
}

/** A notification of the inspector. */
export type DevtoolsEvent =
  | { readonly method: "Debugger.scriptParsed"; readonly params: Debugger.ScriptParsedEventDataType }
  | { readonly method: "Debugger.paused"; readonly params: Debugger.PausedEventDataType }
  | { readonly method: "Debugger.resumed"; readonly params: object };

/** Sends a message to the inspector; rejects where the process ends, or refuses it. */
export type Devtools = <M extends keyof DevtoolsMethods>(
  method: M,
  params?: object,
) => Promise<DevtoolsMethods[M]>;

/** The error that an evaluated expression threw. */
export function thrownBy(details: Runtime.ExceptionDetails): Error {
  return new Error(details.exception?.description?.split("\n")[0] ?? details.text);
}
