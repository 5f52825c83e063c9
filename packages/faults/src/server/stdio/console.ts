// The console of Bun and of Deno writes to standard output itself, past `process.stdout`.
import { platform } from "../../platform/streams.ts";

type Print = (...values: unknown[]) => void;
type Prints = Record<string, Print>;

/** The global console, with the class that makes one for other streams. */
interface PlatformConsole extends Prints {
  readonly Console: never;
}

/** What tells the runtimes apart, and what is used of them. */
export interface ConsoleHost {
  readonly Bun?: unknown;
  readonly Deno?: unknown;
  readonly console?: object;
}

/** Methods that print to standard output. */
const METHODS =
  "log info debug dir dirxml table group groupCollapsed groupEnd count countReset time timeLog timeEnd".split(" ");

/** Makes the console write through a stream, where it would write past it. Returns a function that ends this. */
export function routeConsole(stream: object, host: ConsoleHost = globalThis as ConsoleHost): () => void {
  const console = host.console as PlatformConsole | undefined;
  if ((host.Bun === undefined && host.Deno === undefined) || typeof console?.Console !== "function") return () => {};
  const Console = console.Console as new (streams: object) => Prints;
  const routed = new Console({ stdout: stream, stderr: platform().process?.stderr });
  const prints = console as Prints;
  const originals: Prints = {};
  for (const name of METHODS) {
    const original = prints[name];
    const print = routed[name];
    if (original === undefined || print === undefined) continue;
    originals[name] = original;
    prints[name] = (...values) => print.apply(routed, values);
  }
  return () => void Object.assign(console, originals);
}
