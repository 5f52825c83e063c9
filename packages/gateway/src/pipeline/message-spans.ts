import { isObject, JsonScanner, type MemberSpan, objectAt, type Span } from "@recourse/wire";
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
  const { method, params: parsedParams } = isObject(parsed) ? parsed : {};
  const isCompletion = method === COMPLETION;
  let id: Span | undefined;
  let params: Span | undefined;
  let byName: Span | undefined;
  let byUri: Span | undefined;
  let byTask: Span | undefined;
  let args: Span | undefined;
  let meta: Span | undefined;
  let paramMembers = NO_SPANS;
  let metaMembers = NO_SPANS;
  let responses = NO_SPANS;
  let inRef = NO_SPANS;

  const scanner = new JsonScanner(bytes);
  const top = scanner.object(parsed, (name) => (name === "params" ? inParams : undefined));
  if (scanner.problem !== undefined) return scanner.problem;
  for (const { name, value } of top) {
    if (name === "id") id = value;
    else if (name === "params") params = value;
  }
  for (const { name, value } of inRef) {
    if (name === "name") byName = value;
    else if (name === "uri") byUri = value;
  }
  const named = BY_URI.has(method) ? byUri : (byName ?? (isCompletion ? byUri : undefined));
  const target = BY_TASK.has(method) ? byTask : named;
  return { id, params, target, arguments: args, meta, paramMembers, metaMembers, responses };

  function inParams(): void {
    paramMembers = scanner.object(parsedParams, (name) => {
      if (name === "_meta") return inMeta;
      if (name === "inputResponses") return inResponses;
      return isCompletion && name === "ref" ? inReference : undefined;
    });
    for (const { name, value } of paramMembers) {
      if (name === "arguments") args = value;
      else if (name === "_meta") meta = value;
      else if (isCompletion) continue;
      else if (name === "name") byName = value;
      else if (name === "uri") byUri = value;
      else if (name === "taskId") byTask = value;
    }
  }
  function inMeta(): void {
    metaMembers = scanner.object(objectAt(parsedParams, "_meta"));
  }
  function inResponses(): void {
    responses = scanner.object(objectAt(parsedParams, "inputResponses"));
  }
  function inReference(): void {
    inRef = scanner.object(objectAt(parsedParams, "ref"));
  }
}
