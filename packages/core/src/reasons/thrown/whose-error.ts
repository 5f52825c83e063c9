// Whose an error is, by the place where it was made: the sentence of an author is for the caller, that of a library is not.

import { isInstance, peek, peekInteger, peekString, readClassNames } from "../../errors/peek.ts";
import { isSdkError } from "../../sdk/errors.ts";
import { type GuardedCode, packageOf, readFrames } from "./frames.ts";
import { ENGINE_CLASSES, sdkText } from "./public-errors.ts";

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
  const frames = packageName === undefined ? undefined : readFrames(thrown);
  if (frames === undefined) return code !== undefined || isExactlyError(thrown) ? text : undefined;
  return packageOf(frames[0]) === packageName ? text : undefined;
}

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

/** Engines other than V8 keep the place of an error in members of its own. */
const PLACE_MEMBERS: readonly PropertyKey[] = ["line", "column", "sourceURL", "originalLine", "originalColumn"];
const PLAIN_MEMBERS: readonly PropertyKey[] = ["stack", "message", "cause", "name", ...PLACE_MEMBERS];

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
