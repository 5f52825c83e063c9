// The stdio transport of the SDK's clients: the process it starts is private to it.

/** How the process of a stdio server ended. */
export interface Exit {
  /** Exit code; null if a signal ended the process. */
  readonly code: number | null;
  /** Signal that ended the process. */
  readonly signal: string | null;
}

/** What is known of the process of a stdio server. */
interface ServerProcess {
  readonly stderr: LineRing;
  /** The newest process. */
  process?: Emitter;
  exit?: Exit;
}

export function noChild(): ServerProcess {
  return { stderr: lineRing({ max: MAX_STDERR_LINES, maxLength: MAX_STDERR_LINE }) };
}

/** The part of a stream and of a process that is used. */
interface Emitter {
  on(event: string, listener: (...args: never[]) => void): unknown;
}

interface StdioTransport {
  start?: unknown;
  readonly stderr?: unknown;
  readonly _process?: unknown;
}

/** Listens to the process that a stdio transport starts; a transport of another shape is left alone. */
export function observeChild(transport: StdioTransport, child: ServerProcess): void {
  const { start, stderr } = transport;
  // Reading also keeps the server running: a pipe that is not read fills up and blocks it.
  if (isEmitter(stderr)) stderr.on("data", (piece: Uint8Array | string) => child.stderr.add(piece));
  observeProcess(transport._process, child);
  if (typeof start !== "function") return;
  transport.start = (...args: unknown[]): unknown => {
    const started: unknown = start.apply(transport, args);
    // The process exists as soon as `start` returns, before it can do anything.
    observeProcess(transport._process, child);
    return started;
  };
  observeProbe(transport, { pipesStderr: isEmitter(stderr), observe: (probe) => observeChild(probe, child) });
}

function observeProcess(process: unknown, child: ServerProcess): void {
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

interface ProbeOptions {
  readonly pipesStderr: boolean;
  readonly observe: (probe: object) => void;
}

type TransportClass = new (params: object) => object;

/**
 * Observes the process that version 2 of the SDK starts only to ask for the server's revision.
 *
 * A server that cannot start dies there already, and the SDK drops its last lines. The SDK makes that transport with the
 * `constructor` of the one it was given, and only if that is its own class: so the class stays, and only this property is
 * set.
 */
function observeProbe(transport: object, { pipesStderr, observe }: ProbeOptions): void {
  const prototype: unknown = Object.getPrototypeOf(transport);
  if (typeof prototype !== "object" || prototype === null || !Object.hasOwn(prototype, "_dispose")) return;
  const Original = transport.constructor as TransportClass;
  function Probe(params: object): object {
    const probe = new Original({ ...params, ...(pipesStderr && { stderr: "pipe" }) });
    observe(probe);
    return probe;
  }
  Object.defineProperty(transport, "constructor", { value: Probe, configurable: true, writable: true });
}

interface LineRing {
  add(piece: Uint8Array | string): void;
  /** The lines, oldest first; the last one may be unfinished. */
  lines(): readonly string[];
}

/** Keeps the last `max` lines, each cut to `maxLength`, however much is added. */
export function lineRing({ max, maxLength }: { readonly max: number; readonly maxLength: number }): LineRing {
  const decoder = new TextDecoder();
  const kept: string[] = [];
  let open = "";

  function finish(): void {
    if (open !== "") kept.push(open);
    if (kept.length > max) kept.shift();
    open = "";
  }

  return {
    add(piece) {
      const text = typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
      const [first = "", ...others] = text.split(/\r?\n/);
      open = (open + first.slice(0, maxLength)).slice(0, maxLength);
      for (const line of others) {
        finish();
        open = line.slice(0, maxLength);
      }
    },
    lines: () => (open === "" ? [...kept] : [...kept, open].slice(-max)),
  };
}

const MAX_STDERR_LINES = 50;
const MAX_STDERR_LINE = 500;
