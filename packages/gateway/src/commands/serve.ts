import { isDeepStrictEqual } from "node:util";
import type { Observer } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import { type Gateway, startGateway } from "../gateway.ts";
import { StoreUnavailableError } from "../stores/store-error.ts";
import { createObserver } from "../telemetry/create-observer.ts";
import { checkGateway } from "./check.ts";
import {
  type ConfigFileText,
  configFailure,
  DEFAULT_FILE,
  load,
  problemLines,
  readConfigFile,
  watchFiles,
} from "./config-file.ts";
import { type CommandIo, type CommandOutcome, failed } from "./io.ts";

/** Options of `recourse serve`. */
export interface ServeOptions {
  /** @default gateway.yaml */
  readonly file?: string | undefined;
  /** Reads the file again whenever it changes. @default false */
  readonly watch?: boolean | undefined;
  /** Connects to everything, reports, and ends. @default false */
  readonly check?: boolean | undefined;
  /** With `check`: compares the tables of the database with what this version needs. @default false */
  readonly database?: boolean | undefined;
  /** Write errors as one line of JSON. @default false */
  readonly json?: boolean | undefined;
}

/** Runs a gateway until it is asked to end. Calls under way may end first. */
export async function serve(options: ServeOptions, io: CommandIo): Promise<CommandOutcome> {
  const file = await readConfigFile(options.file ?? DEFAULT_FILE, io);
  if ("failure" in file) return file;
  const loaded = load(file, io);
  const json = options.json === true;
  if (options.check === true) return checkGateway(file, loaded, { io, json, database: options.database === true });
  io.stderr.write(problemLines(file.name, loaded.warnings));
  if (!loaded.ok) {
    io.stderr.write(problemLines(file.name, loaded.problems));
    return configFailure(file.name, loaded.problems);
  }
  const observer = createObserver(loaded.config);
  let gateway: Gateway;
  try {
    gateway = await startGateway(loaded.config, { observer });
  } catch (thrown) {
    await observer.close();
    return startFailure(loaded.config, thrown);
  }
  announceGateway(gateway, loaded.config, { io, json });
  const reload = reloader({
    gateway,
    file,
    config: loaded.config,
    observer,
    io,
    onRead: (read) => watch?.follow(read),
  });
  const watched = { text: file.text, secretFiles: loaded.secretFiles };
  const watch = options.watch === true ? watchFiles(file.path, watched, { onChange: reload }) : undefined;
  const stops = [
    io.onHangup?.(reload),
    watch?.stop,
    // The last net. What is known to throw is caught where it happens.
    io.onUnexpected?.((error, where) => observer.unexpected(error, where)),
  ];
  await aborted(io.signal);
  for (const stop of stops) stop?.();
  observer.log("info", "stopping: calls under way may end", { drainMs: loaded.config.drainMs });
  await gateway.close();
  return { exit: "ok" };
}

/** The first line: where it listens, and what is shared with other processes. */
function announceGateway(
  gateway: Gateway,
  { store }: GatewayConfig,
  { io, json }: { io: CommandIo; json: boolean },
): void {
  const url = gateway.url.href;
  const adminUrl = gateway.adminUrl?.href;
  const consoleUrl = gateway.consoleUrl?.href;
  const telemetryUrl = gateway.telemetryUrl?.href;
  if (json) {
    io.stdout.write(`${JSON.stringify({ url, store: store.mode, adminUrl, consoleUrl, telemetryUrl })}\n`);
    return;
  }
  io.stdout.write(`Listening on ${url}, store: ${STORES[store.mode]}\n`);
  if (adminUrl !== undefined) io.stdout.write(`The API for operators is at ${adminUrl}\n`);
  if (consoleUrl !== undefined) io.stdout.write(`The console is at ${consoleUrl}\n`);
  if (telemetryUrl !== undefined) io.stdout.write(`Health and metrics are at ${telemetryUrl}\n`);
}

const STORES = {
  memory: "memory (this process only; limits, idempotency keys and sessions are lost when it stops)",
  shared: "Redis and PostgreSQL",
} as const satisfies Record<GatewayConfig["store"]["mode"], string>;

interface ReloadParts {
  readonly gateway: Gateway;
  readonly file: ConfigFileText;
  readonly config: GatewayConfig;
  readonly observer: Observer;
  readonly io: CommandIo;
  /** Told what every reading has seen, whether or not it was taken over. */
  readonly onRead: (read: Parameters<ReturnType<typeof watchFiles>["follow"]>[0]) => void;
}

/** Reads the file again, one reading after the other. A file with problems changes nothing. */
function reloader({ gateway, file, config, observer, io, onRead }: ReloadParts): () => void {
  let current = config;
  let last: Promise<void> = Promise.resolve();
  const logRefusal = (problems: readonly string[]) =>
    observer.log("error", `${file.name} was not taken over; the gateway keeps its configuration`, { problems });
  const refuse = (problems: readonly string[], options: readonly string[] = []) => {
    logRefusal(problems);
    gateway.reloadRefused(options);
  };

  async function once(): Promise<void> {
    const read = await readConfigFile(file.path, io);
    if ("failure" in read) return refuse([read.failure.message]);
    const loaded = load(read, io);
    onRead({ text: read.text, secretFiles: loaded.secretFiles });
    const lines = (problems: typeof loaded.warnings) => problemLines(file.name, problems).trimEnd().split("\n");
    if (!loaded.ok)
      return refuse(
        lines(loaded.problems),
        loaded.problems.map(({ path }) => path),
      );
    if (isDeepStrictEqual(loaded.config, current)) return;
    await gateway.reload(loaded.config);
    current = loaded.config;
    const facts = loaded.warnings.length > 0 ? { warnings: lines(loaded.warnings) } : {};
    observer.log("info", `${file.name} was taken over`, facts);
  }

  return () => {
    last = last
      .then(once)
      // The gateway has recorded itself what it does not take.
      .catch((thrown: unknown) => logRefusal([thrown instanceof Error ? thrown.name : "unknown error"]));
  };
}

/** What to say about an address that cannot be used, by the code of the system. */
const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is already in use",
  EACCES: "may not be used by you",
  EADDRNOTAVAIL: "is not an address of this machine",
  ENOTFOUND: "is not a known host",
};

function startFailure({ listen, admin, telemetry }: GatewayConfig, thrown: unknown): CommandOutcome {
  if (thrown instanceof StoreUnavailableError)
    return failed("unreachable", {
      code: "store",
      message: thrown.message,
      fix: "Start it, correct store in the file, or write store: memory to try without.",
      cause: thrown,
    });
  const { code = "", port } = thrown as { readonly code?: string; readonly port?: number };
  const problem = LISTEN_PROBLEMS[code];
  if (problem === undefined) throw thrown;
  // In the order in which they are opened: of two that are the same, the second fails.
  const addresses = [
    { option: "listen", at: listen },
    { option: "telemetry.listen", at: telemetry.listen },
    { option: "admin.listen", at: admin?.listen },
  ];
  const taken = addresses.findLast(({ at }) => at?.port === port);
  const { option, at = listen } = taken ?? { option: "listen" };
  return failed("unreachable", {
    code: "listen",
    message: `${at.host}:${at.port} ${problem}.`,
    fix: `Write another address as ${option} in the file.`,
    cause: thrown,
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
