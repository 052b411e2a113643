// File exchange: an array of NumPy's, an archive, and a file of safetensors, there and back.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as jl from "../../dist/runtime/index.js";

/** Reads a file of NumPy's and writes what it holds in three formats; gives back what they hold. */
export function exchange(numpy: Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-exchange-"));
  const at = (name: string) => join(folder, name);
  try {
    writeFileSync(at("x.npy"), numpy);
    const weight = jl.load(at("x.npy"));
    const bias = weight.mean(0);
    jl.save(at("again.npy"), weight);
    jl.saveNpz(at("model.npz"), { weight, bias });
    jl.saveSafetensors(at("model.safetensors"), { weight, bias });
    const [archive, safe] = [jl.loadNpz(at("model.npz")), jl.loadSafetensors(at("model.safetensors"))];
    const equal = [archive, safe].map((all) =>
      Object.entries({ weight, bias }).every(([name, one]) => all[name]?.equal(one)),
    );
    return { weight, again: readFileSync(at("again.npy")), equal, text: JSON.stringify(bias) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
