import { classNameOf, isInstance, peek, peekInteger, peekList, peekString } from "../errors/peek.ts";
import { snapshot } from "../errors/snapshot.ts";
import { CUT } from "../safety/cut-found.ts";

/** Levels of causes, members of one error, and errors in total that are read. */
const MAX_LEVELS = 5;
const MAX_MEMBERS = 10;
const MAX_ERRORS = 20;
/** The most characters of a thrown value that is not an error, and of one field. */
const MAX_CONTENT = 2_000;
const MAX_FIELD = 1_000;

/** One error behind a failure, or a thrown value that is not one. Nothing of it is cleaned. */
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
  readonly cause: ThrownError | undefined;
}

/** Reads what was thrown, with its causes and members. It runs no code of the thrown value. */
export function readThrown(thrown: unknown): ThrownError {
  return read(thrown, 1, { known: new Set(), left: MAX_ERRORS });
}

interface Reading {
  readonly known: Set<unknown>;
  left: number;
}

function read(thrown: unknown, level: number, reading: Reading): ThrownError {
  reading.known.add(thrown);
  reading.left -= 1;
  const below = (value: unknown): ThrownError[] => {
    const isRead = value === undefined || value === null || reading.known.has(value);
    return isRead || level >= MAX_LEVELS || reading.left <= 0 ? [] : [read(value, level + 1, reading)];
  };
  return {
    ...partsOf(thrown),
    errors: peekList(thrown, "errors", MAX_MEMBERS).flatMap(below),
    errorCount: peekInteger(peek(thrown, "errors"), "length") ?? 0,
    cause: below(peek(thrown, "cause"))[0],
  };
}

function partsOf(thrown: unknown): Pick<ThrownError, "name" | "message" | "stack" | "fields"> {
  const stack = stackOf(thrown);
  if (stack !== undefined || isInstance(thrown, Error)) {
    const name = peekString(thrown, "name") ?? classNameOf(thrown) ?? "Error";
    const message = peekString(thrown, "message") ?? "";
    return { name, message, stack: stack || `${name}: ${message}`, fields: fieldsOf(thrown) };
  }
  const name = typeof thrown === "object" && thrown !== null ? classOf(thrown) : typeof thrown;
  const message = contentOf(thrown);
  return { name, message, stack: thrown === null ? "thrown null" : `thrown ${name}: ${message}`, fields: {} };
}

function classOf(thrown: object): string {
  const name = classNameOf(thrown);
  return name === undefined || name === "Object" ? "object" : name;
}

/** Some engines compute the stack of an error when it is first read. A proxy may throw. */
function stackOf(thrown: unknown): string | undefined {
  try {
    const stack: unknown = isInstance(thrown, Error) ? thrown.stack : peek(thrown, "stack");
    return typeof stack === "string" ? stack : undefined;
  } catch {
    return undefined;
  }
}

/** What a thrown value contains that is not an error. */
function contentOf(thrown: unknown): string {
  if (typeof thrown === "function") return peekString(thrown, "name") ?? "";
  if (typeof thrown !== "object") return String(thrown);
  return thrown === null ? "null" : jsonOf(thrown, MAX_CONTENT);
}

/** Fields that errors of Node, of databases, of HTTP clients and of the SDK have. */
const FIELDS = [
  "code",
  "errno",
  "syscall",
  "address",
  "port",
  "hostname",
  "path",
  "dest",
  "status",
  "statusCode",
  "type",
  "reason",
  "severity",
  "detail",
  "hint",
  "schema",
  "table",
  "column",
  "constraint",
  "dataType",
  "position",
  "routine",
  "sqlState",
  "sqlMessage",
  "data",
  "issues",
  "extensions",
] as const;

function fieldsOf(thrown: unknown): Readonly<Record<string, string>> {
  const found = FIELDS.map((name): readonly [string, string | undefined] => [name, fieldOf(ownValue(thrown, name))]);
  found.push(["fault", fieldOf(hiddenFault(thrown))]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Record<string, string>;
}

/** The fault of a `FaultError`, where it says more than the message: what somebody else said may be hidden from the caller. */
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

function fieldOf(value: unknown): string | undefined {
  if (["string", "number", "boolean", "bigint"].includes(typeof value)) return String(value).slice(0, MAX_FIELD);
  return typeof value === "object" && value !== null ? jsonOf(value, MAX_FIELD) : undefined;
}

/** Members whose name says that they are secret, whatever form they have. */
const SECRET_MEMBER =
  /pass(?:word|wd|phrase|code)|pwd|secret|token|api[_-]?key|(?:access|private|signing|encryption)[_-]?key|authorization|cookie|credential/i;

function jsonOf(value: object, max: number): string {
  const copy = snapshot(value);
  if (copy === undefined) return "(cannot be read)";
  const json = JSON.stringify(copy, (key, member: unknown) =>
    SECRET_MEMBER.test(key) && ["string", "number"].includes(typeof member) ? CUT : member,
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

/** What was thrown, as the cause of an incident. */
export function causeOf(thrown: unknown): unknown {
  return thrown === undefined ? new ThrownUndefined() : thrown;
}
