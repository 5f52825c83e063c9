import { CLOSE_OBJECT, isObject, OPEN_OBJECT, objectAt, QUOTE } from "@recourse/core/wire";
import { isTextAt, type Span, skipSpace, skipValue } from "../call/json-bytes.ts";
import { JsonScanner, MAX_MESSAGE_DEPTH, type MemberSpan } from "../call/json-scanner.ts";
import type { Spans } from "../call/message.ts";

/** The methods whose target is a URI; the others name theirs. */
const BY_URI: ReadonlySet<unknown> = new Set(["resources/read", "resources/subscribe", "resources/unsubscribe"]);
/** The methods whose target is a task. */
const BY_TASK: ReadonlySet<unknown> = new Set(["tasks/get", "tasks/result", "tasks/cancel", "tasks/update"]);
const COMPLETION = "completion/complete";
const NO_SPANS: readonly MemberSpan[] = [];

/** Why the parts of a message cannot be separated with certainty. */
export type SpanProblem = "depth" | "key";

/**
 * Finds the parts of a message in its bytes, in one forward scan. `parsed` is what `JSON.parse` made of the same bytes.
 * Two parsers may take different members if a key is repeated or escaped, so both are refused in the envelope.
 */
export function findSpans(bytes: Buffer, parsed: unknown): Spans | SpanProblem {
  return findSpansInOrder(bytes, parsed) ?? findSpansInAny(bytes, parsed);
}

/** The members of a message that is looked into, from the outside to the inside. */
interface Members {
  top: readonly MemberSpan[];
  params: readonly MemberSpan[];
  meta: readonly MemberSpan[];
  responses: readonly MemberSpan[];
  /** Those of the reference of a completion. */
  ref: readonly MemberSpan[];
}

/** The members that are looked into, each within the one before it. */
const LOOKED_INTO = ["params", "_meta"] as const;
const OTHER_FORM = -1;

/**
 * The same for nearly every request: its keys are plain, stand in the order in which `JSON.parse` gives them, and only `params`
 * and `_meta` are looked into. Undefined for any other message.
 */
export function findSpansInOrder(bytes: Buffer, parsed: unknown): Spans | undefined {
  const params = objectAt(parsed, "params");
  if (params === undefined || "inputResponses" in params || !isObject(parsed)) return undefined;
  const { method } = parsed;
  if (method === COMPLETION) return undefined;
  const found: [MemberSpan[], MemberSpan[], MemberSpan[]] = [[], [], []];
  if (scanInOrder(bytes, skipSpace(bytes, 0), parsed, found, 0) === OTHER_FORM) return undefined;
  const [top, inParams, meta] = found;
  return toSpans(method, { top, params: inParams, meta, responses: NO_SPANS, ref: NO_SPANS });
}

/** Collects the members of an object; the position after it, or `OTHER_FORM`. */
function scanInOrder(bytes: Buffer, start: number, parsed: unknown, found: MemberSpan[][], level: number): number {
  if (bytes[start] !== OPEN_OBJECT || !isObject(parsed)) return OTHER_FORM;
  const members = found[level] as MemberSpan[];
  const inner = LOOKED_INTO[level];
  const maxDepth = MAX_MESSAGE_DEPTH - level - 1;
  let at = skipSpace(bytes, start + 1);
  for (const name in parsed) {
    const keyEnd = at + 1 + name.length;
    if (bytes[at] !== QUOTE || bytes[keyEnd] !== QUOTE || !isTextAt(bytes, at + 1, keyEnd, name)) return OTHER_FORM;
    // Behind a key stands a colon, and a comma between two members: the bytes are known to be JSON.
    const from = skipSpace(bytes, skipSpace(bytes, keyEnd + 1) + 1);
    const end =
      name === inner ? scanInOrder(bytes, from, parsed[name], found, level + 1) : skipValue(bytes, from, maxDepth);
    if (end < 0) return OTHER_FORM;
    members.push({ name, start: at, value: { start: from, end } });
    at = skipSpace(bytes, end);
    if (bytes[at] !== CLOSE_OBJECT) at = skipSpace(bytes, at + 1);
  }
  // Members that are left have a name that was repeated.
  return bytes[at] === CLOSE_OBJECT ? at + 1 : OTHER_FORM;
}

/** The same for messages in any form. */
export function findSpansInAny(bytes: Buffer, parsed: unknown): Spans | SpanProblem {
  const { method, params: parsedParams } = isObject(parsed) ? parsed : {};
  const isCompletion = method === COMPLETION;
  const found: Members = { top: NO_SPANS, params: NO_SPANS, meta: NO_SPANS, responses: NO_SPANS, ref: NO_SPANS };
  const scanner = new JsonScanner(bytes);
  found.top = scanner.object(parsed, (name) => (name === "params" ? inParams : undefined));
  return scanner.problem ?? toSpans(method, found);

  function inParams(): void {
    found.params = scanner.object(parsedParams, (name) => {
      if (name === "_meta") return inMeta;
      if (name === "inputResponses") return inResponses;
      return isCompletion && name === "ref" ? inReference : undefined;
    });
  }
  function inMeta(): void {
    found.meta = scanner.object(objectAt(parsedParams, "_meta"));
  }
  function inResponses(): void {
    found.responses = scanner.object(objectAt(parsedParams, "inputResponses"));
  }
  function inReference(): void {
    found.ref = scanner.object(objectAt(parsedParams, "ref"));
  }
}

function toSpans(method: unknown, members: Members): Spans {
  let id: Span | undefined;
  let params: Span | undefined;
  let args: Span | undefined;
  let meta: Span | undefined;
  for (const { name, value } of members.top) {
    if (name === "id") id = value;
    else if (name === "params") params = value;
  }
  for (const { name, value } of members.params) {
    if (name === "arguments") args = value;
    else if (name === "_meta") meta = value;
  }
  const { params: paramMembers, meta: metaMembers, responses } = members;
  return { id, params, target: targetOf(method, members), arguments: args, meta, paramMembers, metaMembers, responses };
}

function targetOf(method: unknown, { params, ref }: Members): Span | undefined {
  if (method === COMPLETION) return spanOf(ref, "name") ?? spanOf(ref, "uri");
  if (BY_TASK.has(method)) return spanOf(params, "taskId");
  return spanOf(params, BY_URI.has(method) ? "uri" : "name");
}

function spanOf(members: readonly MemberSpan[], name: string): Span | undefined {
  for (const member of members) if (member.name === name) return member.value;
  return undefined;
}
