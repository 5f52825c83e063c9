import {
  type Arrival,
  MISBEHAVIOURS,
  misbehave,
  readPeerOptions,
  STDIO_MISBEHAVIOURS,
  serveThisProcess,
} from "@recourse/faults/testing/peer";
import type { Given, Outcome } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import { writeJson } from "../program/write-json.ts";
import { terminalOf } from "../terminal/terminal.ts";
import { arrivalText } from "./arrival-text.ts";
import { catalogueOf } from "./catalogue.ts";
import { listText } from "./list-text.ts";

/** Runs the peer until Ctrl-C or the end of stdin, or shows what it can do. */
export async function runPeer(given: Given, io: Io): Promise<Outcome> {
  const [stray] = given.positionals;
  if (stray !== undefined) return usage(`peer takes options only, and "${stray}" is none.`);
  if (given.options["list"] === true) return list(given, io);
  return given.options["stdio"] === true ? overStdio(given, io) : overHttp(given, io);
}

async function list({ options }: Given, io: Io): Promise<Outcome> {
  const catalogue = await catalogueOf();
  if (options["json"] === true) writeJson(io.stdout, catalogue);
  else io.stdout.write(listText(catalogue, terminalOf(io.stdout, io.env, options)));
  return { exit: "ok" };
}

async function overStdio({ options }: Given, io: Io): Promise<Outcome> {
  if (options["port"] !== undefined) return usage("--port and --stdio exclude each other.");
  const read = readPeerOptions(options, STDIO_MISBEHAVIOURS);
  if (!read.ok) return usage(read.problem, "recourse peer --list");
  await serveThisProcess({ ...read.options, onArrival: reporter({ options }, io), signal: io.signal });
  return { exit: io.signal.aborted ? "interrupted" : "ok" };
}

async function overHttp({ options }: Given, io: Io): Promise<Outcome> {
  const read = readPeerOptions(options, MISBEHAVIOURS);
  if (!read.ok) return usage(read.problem, "recourse peer --list");
  const port = Number(options["port"] ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return usage("--port is a number from 0 to 65535.");
  let running: Awaited<ReturnType<typeof misbehave>>;
  try {
    running = await misbehave({ ...read.options, port, onArrival: reporter({ options }, io) });
  } catch (thrown) {
    return cannotListen(port, thrown);
  }
  const { url, controlUrl } = running;
  io.stdout.write(`${options["json"] === true ? JSON.stringify({ url, control: controlUrl }) : url}\n`);
  await aborted(io.signal);
  await running.close();
  return { exit: "interrupted" };
}

/** Writes one line about everything that arrives. */
function reporter({ options }: Pick<Given, "options">, io: Io): ((arrival: Arrival) => void) | undefined {
  if (options["quiet"] === true) return undefined;
  return (arrival) => io.stderr.write(`${options["json"] === true ? JSON.stringify(arrival) : arrivalText(arrival)}\n`);
}

/** What to say about a port that cannot be used, by the code of the system. */
const PORT_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is already in use",
  EACCES: "may not be used by you",
};

function cannotListen(port: number, thrown: unknown): Outcome {
  const problem = PORT_PROBLEMS[(thrown as { code?: string }).code ?? ""];
  if (problem === undefined) throw thrown;
  return {
    failure: {
      exit: "usage",
      code: "port",
      message: `Port ${port} ${problem}.`,
      fix: "Leave --port out to get a free one.",
      cause: thrown,
    },
  };
}

function usage(message: string, fix = "recourse peer --help"): Outcome {
  return { failure: { exit: "usage", code: "usage", message, fix } };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
