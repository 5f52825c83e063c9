// Programs that a server started and that run on after it ended. They may have left the process group, so they are found
// by a variable that every program inherits from the one that started it.
import { open, readdir } from "node:fs/promises";
import { basename } from "node:path";

/** The variable that marks the programs of one start. */
export const START_MARK_NAME = "RECOURSE_START";

/** A program that runs on after the server that started it. */
export interface LeftProcess {
  readonly pid: number;
  /** The program, and its script if it has one. Other arguments may hold secrets. */
  readonly name: string;
}

/** Where the system lists its processes. */
const PROCESS_FOLDER = "/proc";
/** The environment and the command line of a program are not read any further. */
const MAX_READ_BYTES = 262_144;
/** A finding needs no more than this. */
const MAX_LEFT = 10;

/**
 * Running programs whose environment has this mark, the oldest first. Empty if the system does not show it: only Linux
 * does, for programs of the same user.
 */
export async function findMarkedProcesses(
  mark: string,
  { folder = PROCESS_FOLDER }: { readonly folder?: string } = {},
): Promise<readonly LeftProcess[]> {
  const names = await readdir(folder).catch(() => []);
  const pids = names
    .filter((name) => /^\d{1,10}$/.test(name))
    .map(Number)
    .sort((one, other) => one - other);
  const found: LeftProcess[] = [];
  for (const pid of pids) {
    if (found.length >= MAX_LEFT) break;
    const environment = await readBeginning(`${folder}/${pid}/environ`);
    if (!environment.split("\0").includes(`${START_MARK_NAME}=${mark}`)) continue;
    const state = await readBeginning(`${folder}/${pid}/stat`);
    const name = programName(await readBeginning(`${folder}/${pid}/cmdline`));
    if (name !== "" && !isOver(state)) found.push({ pid, name });
  }
  return found;
}

/** A program that ended and that nobody has asked about yet is still listed. */
function isOver(state: string): boolean {
  return /^[ZX]/.test(state.slice(state.lastIndexOf(")") + 2));
}

function programName(commandLine: string): string {
  const [program = "", ...args] = commandLine.split("\0").filter((part) => part !== "");
  const script = args.find((arg) => !arg.startsWith("-") && /\.[a-z]{1,4}$/i.test(arg));
  return [program, ...(script === undefined ? [] : [script])].map((part) => basename(part).slice(0, 60)).join(" ");
}

/** The beginning of a file of the system, which has no length that could be asked for. Empty if it cannot be read. */
async function readBeginning(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return "";
  try {
    const parts: Uint8Array[] = [];
    for (let bytes = 0; bytes < MAX_READ_BYTES; ) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(16_384), 0, 16_384);
      if (bytesRead === 0) break;
      parts.push(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    return Buffer.concat(parts).toString();
  } catch {
    return "";
  } finally {
    await file.close();
  }
}
