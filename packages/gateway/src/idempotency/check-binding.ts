import type { Fault } from "@recourse/core";
import { callIdempotencyKey } from "@recourse/core/proxy";
import { idempotency, protocol, tool as toolReasons } from "@recourse/core/reasons";
import { checkArguments } from "@recourse/core/schema";
import { hasHandshake, type Revision, toPointer } from "@recourse/core/wire";
import type { CallApprovals } from "../approvals/call-approvals.ts";
import { sha256Hex, sha256OfList } from "../call/binding.ts";
import type { RoutedTool, Step } from "../call/call.ts";
import { canonicalJson, hasMoreValues } from "../call/canonical-json.ts";
import type { RequestMessage } from "../call/message.ts";
import { hasControl } from "../config/control-characters.ts";

export interface CheckBindingOptions {
  /** Callers show who they are. Those who do not have no keys. */
  readonly isIdentified: boolean;
  /** @default no tool needs an approval */
  readonly approvals: CallApprovals | undefined;
}

const MAX_CALLER_KEY = 256;
/** Members and elements in the arguments of a bound call: more cannot be checked and digested without delaying others. */
const MAX_BOUND_VALUES = 50_000;

/** Checks the arguments of bound calls against the schema that the caller was listed, and digests them. */
export function checkBinding({ isIdentified, approvals }: CheckBindingOptions): Step {
  return (call) => {
    const { message, route, caller } = call;
    if (message?.method !== "tools/call" || route?.kind !== "upstream" || caller === undefined) return undefined;
    const { tool } = route;
    if (tool === undefined) return undefined;
    const sent = callIdempotencyKey(message.meta);
    const refused = keyFault(sent, isIdentified);
    if (refused !== undefined) return refused;
    // An upstream takes the keys of all callers for those of the gateway, so each of them needs a text of its own.
    const key = typeof sent === "string" ? sha256OfList([caller.id, tool.name, sent]) : undefined;
    call.key = key;
    if (key === undefined && approvals?.needs(tool.name) !== true) return undefined;
    const fault = memberFault(message, call.revision) ?? argumentFault(message, tool);
    if (fault !== undefined) return fault;
    const text = canonicalArguments(message);
    const task = canonicalTask(message);
    const approval = approvals?.requestFor(caller, tool.name, text, task);
    if (approval !== undefined && "reason" in approval) return approval;
    const canonical = Buffer.from(text);
    const digest = task === undefined ? sha256Hex(canonical) : sha256OfList([text, task]);
    call.binding = { key, digest, owner: sha256Hex(caller.id), arguments: canonical, approval };
    return undefined;
  };
}

/** A key that cannot be honoured must not be ignored: its caller would repeat the call and trust the key. */
function keyFault(key: unknown, isIdentified: boolean): Fault | undefined {
  if (key === undefined) return undefined;
  const isText = typeof key === "string" && key !== "" && key.length <= MAX_CALLER_KEY;
  if (!isText || hasControl(key)) return protocol.malformed_call.fault();
  return isIdentified ? undefined : idempotency.caller_unknown.fault();
}

/**
 * What a bound call may have. The name and the arguments are what a person reads; they and the task are what the digests cover.
 * `_meta` and the answers of a round have rules of their own.
 */
const BOUND_MEMBERS: ReadonlySet<string> = new Set(["name", "arguments", "_meta", "inputResponses", "requestState"]);

/** Nobody read another member, and it is not sent. Its caller must not believe that it counts. */
function memberFault({ params = {} }: RequestMessage, revision: Revision | undefined): Fault | undefined {
  // Callers of the newer era do not ask for tasks in their calls.
  const hasTask = hasHandshake(revision);
  const unknown = Object.keys(params).filter((name) => !BOUND_MEMBERS.has(name) && !(hasTask && name === "task"));
  if (unknown.length === 0) return undefined;
  const members = hasTask ? "a name, arguments and a task" : "a name and arguments";
  const expected = `left out: a call with a key or an approval has ${members} only`;
  const issues = unknown
    .slice(0, MAX_ISSUES)
    .map((name) => ({ pointer: toPointer([name]), rule: "custom", expected }) as const);
  return protocol.malformed_call.fault({}, { issues });
}

/** At most this many issues are listed. */
const MAX_ISSUES = 10;

function argumentFault({ params, bytes, spans }: RequestMessage, { name, inputSchema }: RoutedTool): Fault | undefined {
  const sent = spans.arguments;
  if (sent !== undefined && hasMoreValues(bytes.toString("utf8", sent.start, sent.end), MAX_BOUND_VALUES)) {
    const issue = {
      pointer: "",
      rule: "length",
      expected: `at most ${MAX_BOUND_VALUES} members and elements`,
    } as const;
    return toolReasons.invalid_arguments.fault({ tool: name }, { issues: [issue] });
  }
  const issues = checkArguments(params?.["arguments"] ?? {}, inputSchema as Parameters<typeof checkArguments>[1]);
  return issues.length === 0 ? undefined : toolReasons.invalid_arguments.fault({ tool: name }, { issues });
}

/**
 * The canonical text of what a call says about its task; undefined if it asks for none. With a task it counts as a
 * different call.
 */
function canonicalTask({ bytes, spans }: RequestMessage): string | undefined {
  const span = spans.paramMembers?.find(({ name }) => name === "task")?.value;
  return span && canonicalJson(bytes.toString("utf8", span.start, span.end));
}

/** The canonical text of the arguments. A call without arguments has empty ones. */
function canonicalArguments({ bytes, spans }: RequestMessage): string {
  const span = spans.arguments;
  return span === undefined ? "{}" : canonicalJson(bytes.toString("utf8", span.start, span.end));
}
