import { isLoopbackAddress, isLoopbackName, parseHost } from "@recourse/core/wire";
import type { ConfigFile } from "./schema.ts";
import type { AdminConfig, ConsoleConfig } from "./types.ts";

const CONSOLE_PATH = "/console";
/** Addresses that mean every address of this machine, its loopback address included. */
const EVERY_ADDRESS: readonly string[] = ["0.0.0.0", "::"];

/** The console that a file asks for; undefined if it is off. */
export function buildConsoleConfig(file: NonNullable<ConfigFile["admin"]>["console"]): ConsoleConfig | undefined {
  if (file === false) return undefined;
  if (file === true) return { url: undefined, secret: undefined, idleMs: IDLE_MS, longestMs: LONGEST_MS };
  const { url, secret, idle, longest, cells } = file;
  const linked = cells?.map((cell) => ({ name: cell.name, url: normalizeUrl(cell.url) }));
  return { url: url && normalizeUrl(url), secret, idleMs: idle, longestMs: longest, ...(linked && { cells: linked }) };
}

/** The defaults of `idle` and `longest`, for `console: true`. */
const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 8 * 3_600_000;

/** The address with `/console` at its end, without a slash after it. */
function normalizeUrl(text: string): string {
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path.endsWith(CONSOLE_PATH) ? path : `${path}${CONSOLE_PATH}`}`;
}

/**
 * The address of the console, without a slash at its end: that of the file, or the loopback address that it listens on.
 * Undefined if there is no console, or if its address is not known.
 */
export function consoleUrl(
  { listen, console }: Pick<AdminConfig, "listen" | "console">,
  port: number = listen.port,
): string | undefined {
  if (console === undefined || console.url !== undefined) return console?.url;
  const host = EVERY_ADDRESS.includes(listen.host) ? "127.0.0.1" : listen.host;
  return port === 0 || !isOwnMachine(host) ? undefined : `http://${writeHost(host)}:${port}${CONSOLE_PATH}`;
}

/** Whether an address or a name stands for this machine alone. */
export function isOwnMachine(host: string): boolean {
  const parsed = parseHost(writeHost(host));
  return isLoopbackAddress(host) || (parsed !== undefined && isLoopbackName(parsed));
}

function writeHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
