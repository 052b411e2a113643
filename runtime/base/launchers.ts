// The launchers of jobs, by the variables that they set for the processes that they start.
import { env, type variables } from "./env.js";

type Names = readonly [
  rank: keyof typeof variables,
  size: keyof typeof variables,
  local: keyof typeof variables,
];

/** The first whose rank or size is set counts: torchrun may run within Slurm, and Slurm starts MPI's processes too. */
export const launchers: Readonly<Record<string, Names>> = {
  torchrun: ["torchRank", "torchSize", "torchLocal"],
  "Open MPI": ["openMpiRank", "openMpiSize", "openMpiLocal"],
  MPICH: ["mpichRank", "mpichSize", "mpichLocal"],
  Slurm: ["slurmRank", "slurmSize", "slurmLocal"],
};

/** Whether a launcher started this process among others. */
export function isLaunched(): boolean {
  return Object.values(launchers).some(([rank]) => env(rank) !== undefined);
}
