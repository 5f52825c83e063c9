// The places of code that an error passed, as V8 knows them: no message can imitate them.

import { peek, peekString } from "../../errors/peek.ts";

/** Where a frame of a stack lies, as V8 describes it. */
interface CallSite {
  getFileName(): string | null | undefined;
  isNative(): boolean;
}

type Hook = (error: unknown, sites: CallSite[]) => unknown;

/** The files of the frames of an error, the innermost first. The engine's own code lies in none. */
type FrameFiles = readonly (string | undefined)[];

interface Runtimes {
  readonly Bun?: unknown;
  readonly Deno?: unknown;
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> };
}

/** Other runtimes than Node describe frames in other ways, or keep a hook for longer than it is set. */
function isNode(): boolean {
  const { Bun, Deno, process } = globalThis as Runtimes;
  return process?.versions?.["node"] !== undefined && Bun === undefined && Deno === undefined;
}

const PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** Whether a member is missing or data: a getter is foreign code. */
function isData(error: unknown, key: string): boolean {
  return isPlainDescriptor(Reflect.getOwnPropertyDescriptor(error as object, key)) || peek(error, key) !== undefined;
}

function isPlainDescriptor(found: PropertyDescriptor | undefined): boolean {
  return found !== undefined && "value" in found;
}

/** V8 shows the frames of an error only once. */
const readBefore = new WeakMap<object, FrameFiles>();

/** Where the frames of an error lie; undefined if its stack shows nothing that can be believed. */
export function readFrames(error: object): FrameFiles | undefined {
  const files = readBefore.get(error) ?? readOnce(error);
  if (files !== undefined) readBefore.set(error, files);
  return files;
}

/**
 * Reads the frames by the hook of V8, which cannot be misled by the message. It is called when the stack is read for the
 * first time. The stack itself reads afterwards as if nothing had happened.
 */
function readOnce(error: object): FrameFiles | undefined {
  if (!isNode() || !isData(error, "name") || !isData(error, "message")) return undefined;
  const host = Error as unknown as { prepareStackTrace?: Hook | undefined };
  let found: FrameFiles | undefined;
  try {
    const before = host.prepareStackTrace;
    const hook: Hook = (of, sites) => {
      if (of === error) found = sites.map(fileOf);
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
  // A stack that was read before, or assigned, shows no frames.
  return found?.length === 0 ? undefined : found;
}

/** Reads the stack without code of the error: V8 gives every error the same getter, and older versions a member of data. */
function touchStack(error: object): void {
  const { get } = Reflect.getOwnPropertyDescriptor(error, "stack") ?? {};
  const own = Reflect.getOwnPropertyDescriptor(new Error("has the getter of every error"), "stack");
  if (get !== undefined && get === own?.get) get.call(error);
}

function fileOf(site: CallSite): string | undefined {
  const file = site.isNative() ? undefined : site.getFileName();
  return typeof file === "string" && !/^(?:native |<|wasm:|evalmachine)/.test(file) ? file : undefined;
}

/** The package that a file lies in, and the empty text for a file in none; undefined for code of the engine and of Node. */
export function packageOf(file: string | undefined): string | undefined {
  if (file === undefined || file.startsWith("node:")) return undefined;
  return PACKAGE.exec(file)?.[1]?.replaceAll("\\", "/") ?? "";
}

/** The part of Node that is `fetch`. */
const FETCH = /^node:internal\/deps\/undici\//;

/**
 * Whether what could not be parsed is what somebody else's code had received: the platform's `fetch`, or another package than
 * the one named. If it is not known whose code is whose, only the platform counts.
 */
export function wasParsedElsewhere(error: object, ownPackage: string | undefined): boolean {
  // `JSON.parse` itself lies in no file.
  const parser = readFrames(error)?.find((file) => file !== undefined);
  if (parser === undefined) return false;
  const found = packageOf(parser);
  return FETCH.test(parser) || (ownPackage !== undefined && found !== undefined && ![ownPackage, ""].includes(found));
}

export interface GuardedCode {
  /** The package that it lies in, the empty text for code in no package; undefined if frames say nothing here. */
  readonly packageName: string | undefined;
}

/** The files of this library, published or as sources. A bundler puts it into another one, where all code lies in one place. */
const OWN_FILE = /[\\/]@recourse[\\/]core[\\/]dist[\\/]|[\\/]packages[\\/]core[\\/](?:src|dist)[\\/]/;

/** The code that calls `entry`, a function of this library. */
export function guardedCode(entry: (...args: never[]) => unknown): GuardedCode {
  areFramesReadable ??= OWN_FILE.test(readFrames(new Error("made to read where it was made"))?.[0] ?? "");
  if (!areFramesReadable) return { packageName: undefined };
  const above = new Error("made to read who calls");
  (Error as { captureStackTrace?: (target: object, above: unknown) => void }).captureStackTrace?.(above, entry);
  return { packageName: packageOf(readFrames(above)?.[0]) };
}

/** Found out once: over HTTP there may be a guarded server for each request. */
let areFramesReadable: boolean | undefined;
