import { isInstance, peek, peekInteger, peekList, peekString, readClassName, snapshot } from "../errors/peek.ts";
import { logPairs } from "../render/render.ts";
import { cleanLogText } from "../safety/clean-log-text.ts";
import { CUT_MARK } from "../safety/find-matches.ts";
import type { SecretFilter } from "../safety/secrets.ts";

/** Levels of causes, members of one error, and errors in total that are read. */
const MAX_LEVELS = 5;
const MAX_MEMBERS = 10;
const MAX_ERRORS = 20;
/** The most characters of a thrown value that is not an error, and of one field. */
const MAX_CONTENT = 2_000;
const MAX_ERROR_FIELD = 1_000;

/** One error behind a failure, or a thrown value that is not one. Only the keys of requests are cut out of it. */
export interface ThrownError {
  /** The name of the error; of a thrown value its class or type. */
  readonly name: string;
  /** The message; of a thrown value what it contains. */
  readonly message: string;
  /** The stack with its first line. */
  readonly stack: string;
  /** What else well-known errors say: a code, an address, a table. */
  readonly fields: Readonly<Record<string, string>>;
  /** The members of an `AggregateError`. */
  readonly errors: readonly ThrownError[];
  /** How many members there are, those that were not read included. */
  readonly errorCount: number;
  /** The cause of the error. */
  readonly cause: ThrownError | undefined;
}

/** Reads what was thrown, with its causes and members. It runs no code of the thrown value. */
export function readThrown(thrown: unknown): ThrownError {
  return readError(thrown, 1, { known: new Set(), left: MAX_ERRORS, keys: requestKeys(thrown) });
}

interface ReadProgress {
  /** The keys of requests that the errors are about. */
  readonly keys: readonly string[];
  readonly known: Set<unknown>;
  left: number;
}

function readError(thrown: unknown, level: number, reading: ReadProgress): ThrownError {
  reading.known.add(thrown);
  reading.left -= 1;
  const below = (value: unknown): ThrownError[] => {
    const isRead = value === undefined || value === null || reading.known.has(value);
    return isRead || level >= MAX_LEVELS || reading.left <= 0 ? [] : [readError(value, level + 1, reading)];
  };
  return {
    ...withoutKeys(readErrorParts(thrown), reading.keys),
    errors: peekList(thrown, "errors", MAX_MEMBERS).flatMap(below),
    errorCount: peekInteger(peek(thrown, "errors"), "length") ?? 0,
    cause: below(peek(thrown, "cause"))[0],
  };
}

type PartsOfError = Pick<ThrownError, "name" | "message" | "stack" | "fields">;

function withoutKeys({ name, message, stack, fields }: PartsOfError, keys: readonly string[]): PartsOfError {
  const cut = (text: string) => cutKeys(text, keys);
  const cleanFields = Object.fromEntries(Object.entries(fields).map(([member, value]) => [member, cut(value)]));
  return { name, message: cut(message), stack: cut(stack), fields: cleanFields };
}

function readErrorParts(thrown: unknown): PartsOfError {
  const stack = readStack(thrown);
  if (stack !== undefined || isInstance(thrown, Error)) {
    const name = peekString(thrown, "name") ?? readClassName(thrown) ?? "Error";
    const message = peekString(thrown, "message") ?? "";
    return { name, message, stack: stack || `${name}: ${message}`, fields: readErrorFields(thrown) };
  }
  const name = typeof thrown === "object" && thrown !== null ? thrownClass(thrown) : typeof thrown;
  const message = describeContent(thrown);
  return { name, message, stack: thrown === null ? "thrown null" : `thrown ${name}: ${message}`, fields: {} };
}

function thrownClass(thrown: object): string {
  const name = readClassName(thrown);
  return name === undefined || name === "Object" ? "object" : name;
}

/** Some engines compute the stack of an error when it is first read. A proxy may throw. */
function readStack(thrown: unknown): string | undefined {
  try {
    const stack: unknown = isInstance(thrown, Error) ? thrown.stack : peek(thrown, "stack");
    return typeof stack === "string" ? stack : undefined;
  } catch {
    return undefined;
  }
}

/** What a thrown value contains that is not an error. */
function describeContent(thrown: unknown): string {
  if (typeof thrown === "function") return peekString(thrown, "name") ?? "";
  if (typeof thrown !== "object") return String(thrown);
  return thrown === null ? "null" : formatJson(thrown, MAX_CONTENT);
}

/** Fields that errors of Node, of databases, of HTTP clients and of the SDK have. */
const ERROR_FIELDS = /* @__PURE__ */ (
  "code errno syscall address port hostname path dest status statusCode type reason severity detail " +
  "hint schema table column constraint dataType position routine sqlState sqlMessage data issues " +
  "extensions"
).split(" ");

function readErrorFields(thrown: unknown): Readonly<Record<string, string>> {
  const found = ERROR_FIELDS.map((name): readonly [string, string | undefined] => [
    name,
    formatField(ownValue(thrown, name)),
  ]);
  found.push(["fault", formatField(hiddenFault(thrown))]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Record<string, string>;
}

/** The fault of a `FaultError`, if it says more than the message: text of others may be hidden from the caller. */
function hiddenFault(thrown: unknown): unknown {
  const fault = ownValue(thrown, "fault");
  return (peek(fault, "quote") ?? peek(fault, "cause")) === undefined ? undefined : fault;
}

/** An own enumerable data property. */
function ownValue(thrown: unknown, name: string): unknown {
  try {
    const found = Reflect.getOwnPropertyDescriptor(thrown as object, name);
    return found?.enumerable === true ? found.value : undefined;
  } catch {
    return undefined;
  }
}

function formatField(value: unknown): string | undefined {
  if (["string", "number", "boolean", "bigint"].includes(typeof value)) return String(value).slice(0, MAX_ERROR_FIELD);
  return typeof value === "object" && value !== null ? formatJson(value, MAX_ERROR_FIELD) : undefined;
}

/** Members whose name says that they are secret, whatever form they have. */
const SECRET_MEMBER =
  /pass(?:word|wd|phrase|code)|pwd|secret|token|api[_-]?key|(?:access|private|signing|encryption)[_-]?key|authorization|cookie|credential/i;

function formatJson(value: object, max: number): string {
  const copy = snapshot(value);
  if (copy === undefined) return "(cannot be read)";
  const json = JSON.stringify(copy, (key, member: unknown) =>
    SECRET_MEMBER.test(key) && ["string", "number"].includes(typeof member) ? CUT_MARK : member,
  );
  return json.length > max ? `${json.slice(0, max)}…` : json;
}

/** Stands for an undefined that was thrown, since an incident without a cause says that nothing was. */
class ThrownUndefined extends Error {
  override readonly name = "ThrownUndefined";

  constructor() {
    super("undefined was thrown");
    // It would show where this was made, and not what threw.
    Object.defineProperty(this, "stack", { value: `${this.name}: ${this.message}`, configurable: true });
  }
}

export function incidentCause(thrown: unknown): unknown {
  return thrown === undefined ? new ThrownUndefined() : thrown;
}

/**
 * The thrown error as lines for an operator: the stack and the fields of each error, of the members of an `AggregateError`
 * and of the causes. Secrets are cut out. It runs no code of the thrown value.
 */
export function describeCause(of: {
  readonly cause?: unknown;
  readonly secrets?: SecretFilter | undefined;
}): readonly string[] {
  if (of.cause === undefined) return [];
  return cleanLogText(renderThrown(readThrown(of.cause)), { secrets: of.secrets }).split("\n");
}

function renderThrown({ stack, fields, errors, errorCount, cause }: ThrownError): string {
  const about = logPairs(fields);
  const members = errors.map((one, index) => `error ${index + 1} of ${errorCount}: ${renderThrown(one)}`);
  const below = cause === undefined ? [] : [`caused by ${renderThrown(cause)}`];
  return [stack, ...(about === "" ? [] : [`    with ${about}`]), ...members, ...below].join("\n");
}

// Clients of HTTP keep the request on their errors, and with it the keys of this server. An operator does not need them either.

/** Members in which clients keep a request or its options, and members of these that hold more of it. */
const REQUEST_MEMBERS = ["config", "request", "options", "response", "input"] as const;
const MAX_NESTED = 3;
const MAX_KEY_ERRORS = 20;

const SECRET_HEADER = /authorization|cookie|api-?key|token|secret|password|signature|credential|^x-.*key$/i;
/** A shorter value may stand in a text by chance. */
const MIN_KEY = 6;
const MAX_KEYS = 50;

/** Keys in addresses: `?api_key=…`. */
const ADDRESS_KEYS =
  /([?&;](?:[a-z0-9_.-]{0,32}(?:key|token|secret|password|passwd|signature|credential)|auth|sig|pwd|code)=)[^&;#\s"'`<>)\]}]+/gi;

/** The keys of the requests that are kept on an error, on its causes and on the errors of an aggregate. */
export function requestKeys(thrown: unknown): readonly string[] {
  const errors: unknown[] = [thrown];
  const keys = new Set<string>();
  for (let at = 0; at < errors.length && at < MAX_KEY_ERRORS; at++) {
    collectKeys(errors[at], keys, MAX_NESTED);
    errors.push(peek(errors[at], "cause"), ...peekList(errors[at], "errors", MAX_KEY_ERRORS));
  }
  return [...keys].slice(0, MAX_KEYS).toSorted((one, other) => other.length - one.length);
}

function collectKeys(holder: unknown, keys: Set<string>, depth: number): void {
  if (typeof holder !== "object" || holder === null || depth === 0) return;
  for (const [name, value] of headerEntries(holder)) {
    if (SECRET_HEADER.test(name)) for (const key of keysInHeader(value)) if (key.length >= MIN_KEY) keys.add(key);
  }
  for (const member of REQUEST_MEMBERS) collectKeys(peek(holder, member), keys, depth - 1);
}

interface Globals {
  readonly Headers?: { readonly prototype: object };
}

function headerEntries(holder: object): readonly (readonly [string, string])[] {
  const headers = peek(holder, "headers");
  // Node writes the head of a request as one text.
  const lines = peekString(holder, "_header")?.slice(0, 16_384).split("\r\n") ?? [];
  const written = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)] as const);
  return [...written, ...fetchHeaderEntries(headers), ...plainEntries(headers)];
}

function fetchHeaderEntries(headers: unknown): [string, string][] {
  const prototype = (globalThis as Globals).Headers?.prototype;
  try {
    if (prototype === undefined || !Object.prototype.isPrototypeOf.call(prototype, headers as object)) return [];
    return [...(Reflect.get(prototype, "entries") as () => Iterable<[string, string]>).call(headers)];
  } catch {
    return [];
  }
}

function plainEntries(headers: unknown): [string, string][] {
  const copy = snapshot(headers);
  if (typeof copy !== "object" || copy === null) return [];
  return Object.entries(copy).flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (typeof one === "string" ? [[name, one]] : [])),
  );
}

/** The whole value, the part behind a scheme such as `Bearer`, and the values of cookies. */
function keysInHeader(value: string): readonly string[] {
  const whole = value.trim();
  const cookies = whole.split(";").map((part) => part.slice(part.indexOf("=") + 1).trim());
  return [whole, whole.slice(whole.indexOf(" ") + 1).trim(), ...cookies];
}

/** The text without these keys, and without the keys in addresses. */
export function cutKeys(text: string, keys: readonly string[]): string {
  let clean = text.replace(ADDRESS_KEYS, `$1${CUT_MARK}`);
  for (const key of keys) for (const form of [key, encodeURIComponent(key)]) clean = clean.replaceAll(form, CUT_MARK);
  return clean;
}
