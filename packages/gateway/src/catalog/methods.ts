import { type Fault, nearestNames, type RetryAdvice } from "@recourse/core";
import { uriFault } from "@recourse/core/proxy";
import { completion, core, pagination, prompt, protocol, resource, task, tool } from "@recourse/core/reasons";
import { hasHandshake, type Revision, TASKS_EXTENSION } from "@recourse/core/wire";
import type { Identity } from "./own-results.ts";
import type { View } from "./view.ts";

/** What the gateway does with a method. */
export type MethodRule =
  /** Answered by the gateway itself. */
  | "initialize"
  | "discover"
  | "ping"
  | "list"
  | "listen"
  | "logLevel"
  /** Routed to the upstream that has the tool, prompt or resource. */
  | "tool"
  | "prompt"
  | "resource"
  | "completion"
  /** Routed to the upstream that a task runs at. */
  | "task"
  /** A resource is followed for the session of the caller, or no longer. */
  | "subscribe"
  | "unsubscribe"
  /** Refused with `protocol/method_not_found`. */
  | "refuse";

/** Every request method that the specification names, with the rule for callers that began with a handshake and for others. */
export const METHOD_RULES = {
  initialize: { handshake: "initialize", stateless: "refuse" },
  ping: { handshake: "ping", stateless: "refuse" },
  "server/discover": { handshake: "refuse", stateless: "discover" },
  "tools/list": { handshake: "list", stateless: "list" },
  "tools/call": { handshake: "tool", stateless: "tool" },
  "prompts/list": { handshake: "list", stateless: "list" },
  "prompts/get": { handshake: "prompt", stateless: "prompt" },
  "resources/list": { handshake: "list", stateless: "list" },
  "resources/templates/list": { handshake: "list", stateless: "list" },
  "resources/read": { handshake: "resource", stateless: "resource" },
  "completion/complete": { handshake: "completion", stateless: "completion" },
  "subscriptions/listen": { handshake: "refuse", stateless: "listen" },
  "resources/subscribe": { handshake: "subscribe", stateless: "refuse" },
  "resources/unsubscribe": { handshake: "unsubscribe", stateless: "refuse" },
  "logging/setLevel": { handshake: "logLevel", stateless: "refuse" },
  "tasks/get": { handshake: "task", stateless: "task" },
  "tasks/list": { handshake: "refuse", stateless: "refuse" },
  "tasks/result": { handshake: "task", stateless: "refuse" },
  "tasks/cancel": { handshake: "task", stateless: "task" },
  "tasks/update": { handshake: "refuse", stateless: "task" },
} as const satisfies Readonly<Record<string, Readonly<Record<"handshake" | "stateless", MethodRule>>>>;

/** The rule for a method. Methods that are not in the table are refused. */
export function methodRule(method: string, revision: Revision | undefined): MethodRule {
  if (!Object.hasOwn(METHOD_RULES, method)) return "refuse";
  const rules = METHOD_RULES[method as keyof typeof METHOD_RULES];
  return hasHandshake(revision) ? rules.handshake : rules.stateless;
}

/** The refusals of the catalog. None of them depends on anything that the caller does not see. */
export function createRefusals({ origin }: Identity) {
  return {
    /** No such tool for this caller: unknown, disabled, hidden and out of scope are one answer. */
    tool: (name: string, view: View): Fault =>
      tool.not_found.fault({ tool: name }, { origin, ...near(name, view, "tools/list") }),
    prompt: (name: string, view: View): Fault =>
      prompt.not_found.fault({ prompt: name }, { origin, ...near(name, view, "prompts/list") }),
    resource: (uri: string): Fault => uriFault(uri, { origin }) ?? resource.not_found.fault({ uri }, { origin }),
    completion: (): Fault => completion.not_found.fault({}, { origin }),
    /** No such task for this caller: unknown, forged, of another caller and out of reach are one answer. */
    task: (): Fault => task.not_found.fault({}, { origin }),
    /** The client has to say that it knows tasks. */
    tasksUndeclared: (): Fault =>
      protocol.missing_client_capability.fault({ capabilities: [`extensions/${TASKS_EXTENSION}`] }, { origin }),
    cursor: (cursor: string): Fault => pagination.invalid_cursor.fault({ cursor }, { origin }),
    method: (method: string): Fault => protocol.method_not_found.fault({ method }, { origin }),
    /** The upstream that the name belongs to has not been seen yet. */
    away: (retry: RetryAdvice | undefined): Fault =>
      core.unavailable.fault({}, { origin, effect: "none", ...(retry !== undefined && { retry }) }),
    params: (): Fault => protocol.invalid_params.fault({}, { origin }),
  };
}

export type Refusals = ReturnType<typeof createRefusals>;

/** Suggestions are looked for among this many names, since unknown names are refused before any limit counts them. */
const MAX_COMPARED = 24;
/** Names that differ by more characters are not similar. */
const MAX_DIFFERENCE = 3;

/** The characters of a name as a set of bits. Every edit changes two of them at most. */
function characterBits(name: string): number {
  let bits = 0;
  for (let at = 0; at < name.length; at++) bits |= 1 << (name.charCodeAt(at) & 31);
  return bits;
}

function isNear(a: number, b: number): boolean {
  let different = a ^ b;
  for (let edits = 0; edits < 2 * MAX_DIFFERENCE; edits++) different &= different - 1;
  return different === 0;
}

function near(name: string, view: View, method: "tools/list" | "prompts/list") {
  const known: string[] = [];
  const characters = characterBits(name);
  for (const placed of view.eachEntry(method)) {
    const { key } = placed.entry;
    if (Math.abs(key.length - name.length) > MAX_DIFFERENCE || !isNear(characters, characterBits(key))) continue;
    if (placed.listed === undefined || !view.sees(method, placed)) continue;
    known.push(key);
    if (known.length === MAX_COMPARED) break;
  }
  const candidates = nearestNames(name, known);
  return candidates.length === 0 ? {} : { recourse: [{ do: "choose_another", candidates }] as const };
}
