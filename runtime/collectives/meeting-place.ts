// Where the processes of a job meet that have no MPI: an address and a port of the machine of process 0, as the launcher says.
import { env, variables } from "../base/env.js";
import { JitlabError, show } from "../base/errors.js";
import type { Job } from "../device/collectives.js";

/** An address at which process 0 listens. */
export interface MeetingPlace {
  readonly host: string;
  readonly port: number;
}

/** The address of a job; throws `bad-environment` where its launcher sets none. */
export function meetingPlace({ launcher }: Job): MeetingPlace {
  const [host, port] = [env("masterAddress"), env("masterPort")];
  if (host === undefined && port === undefined && launcher === "Slurm") return placeOfSlurm();
  const [hostName, portName] = [variables.masterAddress.name, variables.masterPort.name];
  if (host === undefined || port === undefined)
    throw refused(
      launcher,
      `${host === undefined ? hostName : portName} is not set, so that processes do not find each other`,
    );
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  // The launcher itself listens there.
  if (number > 0 && number < mostPort) return { host, port: number + 1 };
  throw refused(launcher, `${portName} is ${show(port)}, not a port from 1 to ${mostPort - 1}`);
}

const mostPort = 65_535;
// Ports that a job's number chooses among, below those that systems give away.
const firstPort = 20_000;
const ports = 10_000;

function placeOfSlurm(): MeetingPlace {
  const [nodes = "", job = ""] = [env("slurmNodes"), env("slurmJob")];
  const [, name = "", numbers, rest = ""] = /^([^,[]+)(?:\[(\d+)[^\]]*\]([^,]*))?/.exec(nodes) ?? [];
  if (name === "" || !/^\d+$/.test(job))
    throw refused(
      "Slurm",
      `${variables.slurmNodes.name} is ${show(nodes)} and ${variables.slurmJob.name} is ${show(job)}, so that processes do not find each other`,
    );
  return { host: `${name}${numbers ?? ""}${rest}`, port: firstPort + (Number(job) % ports) };
}

function refused(launcher: string, problem: string): JitlabError {
  return new JitlabError(
    "bad-environment",
    `world: ${problem}.`,
    `${launcher} sets it for the processes that it starts; or set MASTER_ADDR and MASTER_PORT to an address of process 0 and a free port.`,
  );
}
