// Whose an error is, by the place where it was made: the sentence of an author is for the caller, that of a library is not.

import { isInstance, peek, peekInteger, peekString, readClassNames } from "../../errors/peek.ts";
import { isSdkError } from "../../sdk/errors.ts";
import { ENGINE_CLASSES, sdkText } from "./public-errors.ts";

/** The code that a guard was put around. */
export interface GuardedCode {
  /** The package that it lies in, the empty text for code in no package; undefined if frames say nothing here. */
  readonly packageName: string | undefined;
}

/** Where a frame of a stack lies, as V8 describes it. */
interface CallSite {
  getFileName(): string | null | undefined;
  isNative(): boolean;
}

type Hook = (error: unknown, sites: CallSite[]) => unknown;

interface Runtimes {
  readonly Bun?: unknown;
  readonly Deno?: unknown;
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> };
}

/** The files of this library, published or as sources. A bundler puts it into another one, where all code lies in one place. */
const OWN_FILE = /[\\/]@recourse[\\/]faults[\\/]dist[\\/]|[\\/]packages[\\/]faults[\\/](?:src|dist)[\\/]/;
const PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/**
 * The code that calls `entry`, a function of this library. Other runtimes than Node describe frames in other ways, or keep
 * a hook for longer than it is set.
 */
export function guardedCode(entry: (...args: never[]) => unknown): GuardedCode {
  areFramesReadable ??= canReadFrames();
  if (!areFramesReadable) return { packageName: undefined };
  const above = new Error("made to read who calls");
  (Error as { captureStackTrace?: (target: object, above: unknown) => void }).captureStackTrace?.(above, entry);
  const file = fileOf(firstSite(above));
  return { packageName: file === undefined ? undefined : packageOf(file) };
}

/** Found out once: over HTTP there may be a guarded server for each request. */
let areFramesReadable: boolean | undefined;

function canReadFrames(): boolean {
  const { Bun, Deno, process } = globalThis as Runtimes;
  const isNode = process?.versions?.["node"] !== undefined && Bun === undefined && Deno === undefined;
  return isNode && OWN_FILE.test(fileOf(firstSite(new Error("made to read where it was made"))) ?? "");
}

/**
 * The sentence that the author of the guarded code wrote and threw. Undefined for an error of the engine, the system or
 * another package, and for one that carries more than a message: its text was written for other readers.
 */
export function authoredSentence(thrown: unknown, { packageName }: GuardedCode): string | undefined {
  if (!isInstance(thrown, Error)) return undefined;
  const code = protocolCode(thrown);
  const text = sdkText(thrown, code ?? 0);
  if (text === undefined || text.trim() === "" || isAccident(thrown)) return undefined;
  // Data beside a sentence may be the answer of another program, which is thrown on.
  if (code === undefined ? !hasOnlyMessage(thrown) : peek(thrown, "data") !== undefined) return undefined;
  // A stack that was read before, or assigned, shows no frames that can be believed.
  const site = packageName === undefined ? undefined : firstSite(thrown);
  if (site === undefined) return code !== undefined || isExactlyError(thrown) ? text : undefined;
  const file = fileOf(site);
  return file !== undefined && packageOf(file) === packageName ? text : undefined;
}

/** The code of an error of the protocol, which the SDK's server sends as it is. */
export function protocolCode(error: unknown): number | undefined {
  return isSdkError(error, "McpError") || isSdkError(error, "ProtocolError") ? peekInteger(error, "code") : undefined;
}

/** Errors of the engine and the system: anyone's code may have caused them, and they may say what it worked with. */
function isAccident(error: unknown): boolean {
  return (
    readClassNames(error).some((name) => ENGINE_CLASSES.has(name)) ||
    peekInteger(error, "errno") !== undefined ||
    peekString(error, "syscall") !== undefined ||
    peekString(error, "code")?.startsWith("ERR_") === true
  );
}

const PLAIN_MEMBERS: readonly PropertyKey[] = ["stack", "message", "cause", "name"];

function hasOnlyMessage(error: object): boolean {
  try {
    return Reflect.ownKeys(error).every((key) => PLAIN_MEMBERS.includes(key));
  } catch {
    return false;
  }
}

function isExactlyError(error: object): boolean {
  try {
    return Reflect.getPrototypeOf(error) === Error.prototype;
  } catch {
    return false;
  }
}

/** Whether a member is missing or data: a getter is foreign code. */
function isData(error: unknown, key: string): boolean {
  return isPlainDescriptor(Reflect.getOwnPropertyDescriptor(error as object, key)) || peek(error, key) !== undefined;
}

function isPlainDescriptor(found: PropertyDescriptor | undefined): boolean {
  return found !== undefined && "value" in found;
}

/**
 * The place where an error was made, by the hook of V8, which cannot be misled by the message. It is called when the stack
 * is read for the first time. The stack itself reads afterwards as if nothing had happened.
 */
function firstSite(error: object): CallSite | undefined {
  if (!isData(error, "name") || !isData(error, "message")) return undefined;
  const host = Error as unknown as { prepareStackTrace?: Hook | undefined };
  let found: CallSite | undefined;
  try {
    const before = host.prepareStackTrace;
    const hook: Hook = (of, sites) => {
      if (of === error) found = sites[0];
      if (before !== undefined) return before.call(Error, of, sites);
      const [name, message] = [peekString(of, "name") ?? "Error", peekString(of, "message") ?? ""];
      return [message === "" ? name : `${name}: ${message}`, ...sites.map((site) => `    at ${site}`)].join("\n");
    };
    host.prepareStackTrace = hook;
    try {
      touchStack(error);
    } finally {
      if (before === undefined) delete host.prepareStackTrace;
      else host.prepareStackTrace = before;
    }
  } catch {
    // A frozen `Error`, or a hook that throws.
  }
  return found;
}

/** Reads the stack without code of the error: V8 gives every error the same getter, and older versions a member of data. */
function touchStack(error: object): void {
  const { get } = Reflect.getOwnPropertyDescriptor(error, "stack") ?? {};
  const own = Reflect.getOwnPropertyDescriptor(new Error("has the getter of every error"), "stack");
  if (get !== undefined && get === own?.get) get.call(error);
}

/** The file of a frame; undefined for code of the engine and of Node. */
function fileOf(site: CallSite | undefined): string | undefined {
  const file = site === undefined || site.isNative() ? undefined : site.getFileName();
  return typeof file === "string" && !/^(?:node:|native |<|wasm:|evalmachine)/.test(file) ? file : undefined;
}

/** The package that a file lies in; the empty text for a file in none. */
function packageOf(file: string): string {
  return PACKAGE.exec(file)?.[1]?.replaceAll("\\", "/") ?? "";
}
