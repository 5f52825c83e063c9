// What a JSON-RPC message must look like before anything reads its method.
import { isObject, type JsonObject, toPointer } from "./json.ts";

/** Something that is wrong with a message, and where. */
export interface MessageIssue {
  /** A JSON Pointer to the value, or the empty text for the message itself. */
  readonly pointer: string;
  /** What is wrong: it is missing, has another type, or breaks a rule of its own. */
  readonly rule: "required" | "type" | "custom";
  readonly expected: string;
}

interface MemberRule {
  readonly name: string;
  readonly expected: string;
  readonly fits: (value: unknown, message: JsonObject) => boolean;
}

const MEMBERS: readonly MemberRule[] = [
  { name: "jsonrpc", expected: '"2.0"', fits: (value) => value === "2.0" },
  { name: "id", expected: "a string or an integer", fits: (value) => value === undefined || isId(value) },
  { name: "method", expected: "a string", fits: (value, message) => typeof value === "string" || isAnswer(message) },
  {
    name: "params",
    expected: "an object",
    fits: (value, { method }) => typeof method !== "string" || value === undefined || isObject(value),
  },
];

const NO_ISSUES: readonly MessageIssue[] = [];

/** The members that keep a value from being a message of MCP; undefined if it is not an object, so that none can be named. */
export function messageIssues(value: unknown): readonly MessageIssue[] | undefined {
  if (!isObject(value)) return undefined;
  // Nearly every message is in order, and this runs for each.
  if (MEMBERS.every(({ name, fits }) => fits(value[name], value))) return NO_ISSUES;
  return MEMBERS.filter(({ name, fits }) => !fits(value[name], value)).map(({ name, expected }) => ({
    pointer: toPointer([name]),
    rule: value[name] === undefined ? "required" : "type",
    expected,
  }));
}

/** The id to answer with: that of a message that is not itself an answer, even if other members are wrong. */
export function readableId(value: unknown): string | number | undefined {
  if (!isObject(value) || value["result"] !== undefined || value["error"] !== undefined) return undefined;
  const { id } = value;
  return isId(id) ? id : undefined;
}

function isAnswer({ method, result, error }: JsonObject): boolean {
  return method === undefined && (isObject(result) || isObject(error));
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isSafeInteger(id);
}
