// A process of a job without MPI: fetches the identifier that process 0 gives, and prints it or the error.
import { exchangedIdentifier } from "../../dist/runtime/collectives/identifier-exchange.js";
import { jobOf } from "../../dist/runtime/collectives/world.js";

const job = jobOf();
const own = () => new Uint8Array(128).fill(7);
const print = (text) => process.stdout.write(text);
try {
  print(Buffer.from(exchangedIdentifier("allReduce", job, own, Number(process.argv[2]))).toString("hex"));
} catch (error) {
  print(`${error.code} ${error.message}`);
}
// Process 0 answers the others until all have asked.
if (job.rank === 0) setTimeout(() => {}, Number(process.argv[2]));
