import { watchProbe } from "./probe.ts";
import { type LineRing, lineRing } from "./ring.ts";
import type { Exit } from "./watched.ts";

const MOST_LINES = 50;
const LONGEST_LINE = 500;

/** What is known of the process of a stdio server. */
export interface Child {
  readonly stderr: LineRing;
  /** The newest process. */
  process?: Emitter;
  exit?: Exit;
}

/** A child of which nothing is known yet. */
export function noChild(): Child {
  return { stderr: lineRing({ most: MOST_LINES, longest: LONGEST_LINE }) };
}

/** The part of a stream and of a process that is looked at. */
interface Emitter {
  on(event: string, listener: (...args: never[]) => void): unknown;
}

/** The parts of the SDK's stdio transport that are looked at; the process is private to it. */
interface StdioTransport {
  start?: unknown;
  readonly stderr?: unknown;
  readonly _process?: unknown;
}

/** Listens to the process that a stdio transport starts; a transport of another shape is left alone. */
export function watchChild(transport: StdioTransport, child: Child): void {
  const { start, stderr } = transport;
  // Reading also keeps the server going: a pipe that nobody reads fills up and stops it.
  if (isEmitter(stderr)) stderr.on("data", (piece: Uint8Array | string) => child.stderr.add(piece));
  watchProcess(transport._process, child);
  if (typeof start !== "function") return;
  transport.start = (...args: unknown[]): unknown => {
    const started: unknown = start.apply(transport, args);
    // The process exists as soon as `start` returns, before it can say or do anything.
    watchProcess(transport._process, child);
    return started;
  };
  watchProbe(transport, { pipesStderr: isEmitter(stderr), watch: (probe) => watchChild(probe, child) });
}

function watchProcess(process: unknown, child: Child): void {
  if (!isEmitter(process) || process === child.process) return;
  child.process = process;
  delete child.exit;
  // `exit` comes before `close`, which is when the SDK tells its callers.
  process.on("exit", (code: number | null, signal: string | null) => {
    if (child.process === process) child.exit = { code, signal };
  });
}

function isEmitter(value: unknown): value is Emitter {
  return typeof value === "object" && value !== null && typeof (value as Partial<Emitter>).on === "function";
}
