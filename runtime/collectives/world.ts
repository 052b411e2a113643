// The processes of a job: who this one is among them, as its launcher says.
import { env, variables } from "../base/env.js";
import { JitlabError, show } from "../base/errors.js";
import { launchers } from "../base/launchers.js";
import type { Job } from "../device/collectives.js";
import { listDevices } from "../launch/devices.js";

/** This process among those of its job. */
export interface World {
  /** Its number, from 0 on. */
  readonly rank: number;
  /** How many there are; 1 without a launcher. */
  readonly size: number;
  /** Its number among those on its machine. */
  readonly localRank: number;
  /** The name of the device for its tensors: a GPU of its own where there are some, else the default device. */
  readonly device: string;
}

/** The job of this process; undefined without a launcher. Throws `bad-environment` for variables that do not fit together. */
export function jobOf(): (Job & { readonly localRank: number }) | undefined {
  for (const [launcher, names] of Object.entries(launchers)) {
    const [rank, size, local] = names.map((name) => env(name) as string | undefined);
    // An allocation of Slurm has a size before srun starts its processes.
    if (rank === undefined && (size === undefined || launcher === "Slurm")) continue;
    const [rankName, sizeName, localName] = names.map((name) => variables[name].name) as [
      string,
      string,
      string,
    ];
    const job = {
      launcher,
      rank: countOf(launcher, rankName, rank, sizeName),
      size: countOf(launcher, sizeName, size, rankName),
      localRank: local === undefined ? Number(rank) : countOf(launcher, localName, local, rankName),
    };
    if (job.rank < job.size) return job;
    throw refused(`${rankName} is ${job.rank}, but ${sizeName} is ${job.size}`, launcher);
  }
  return undefined;
}

function countOf(launcher: string, name: string, value: string | undefined, other: string): number {
  if (value === undefined) throw refused(`${other} is set, but ${name} is not`, launcher);
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw refused(`${name} is ${show(value)}, not a count`, launcher);
}

function refused(problem: string, launcher: string): JitlabError {
  return new JitlabError(
    "bad-environment",
    `world: ${problem}.`,
    `${launcher} sets them together for the processes that it starts. Unset them, or start this process with it.`,
  );
}

/**
 * This process among those that Slurm, Open MPI, MPICH or torchrun started; without a launcher the only one.
 *
 * @example jl.world().size // 1
 */
export function world(): World {
  const { rank, size, localRank } = jobOf() ?? { rank: 0, size: 1, localRank: 0 };
  return { rank, size, localRank, device: deviceFor(localRank) };
}

function deviceFor(localRank: number): string {
  const listed = listDevices().filter(({ available }) => available);
  const usual = listed.find(({ isDefault }) => isDefault) ?? listed[0];
  const gpus = listed.filter(({ kind }) => kind === "cuda");
  // A device that was chosen stays, unless it is one of several GPUs.
  if (gpus.length > 1 && usual?.kind === "cuda" && env("device") !== usual.name)
    return (gpus[localRank % gpus.length] as { name: string }).name;
  return usual?.name ?? "cpu";
}
