import { LATEST_REVISION, type Revision } from "@recourse/faults/internal-do-not-use";

/** What the gateway does with a method. */
export type MethodRule =
  /** Answered by the gateway itself. */
  | "initialize"
  | "discover"
  | "ping"
  | "list"
  | "listen"
  /** Routed to the upstream that has the tool, prompt or resource. */
  | "tool"
  | "prompt"
  | "resource"
  | "completion"
  /** Refused with `protocol/method_not_found`. */
  | "refuse";

/** The eras that a caller can speak. */
export type CallerEra = "2025" | "2026";

/** Every request method that the specification names, with the rule for callers of each era. */
export const METHODS = {
  initialize: { 2025: "initialize", 2026: "refuse" },
  ping: { 2025: "ping", 2026: "refuse" },
  "server/discover": { 2025: "refuse", 2026: "discover" },
  "tools/list": { 2025: "list", 2026: "list" },
  "tools/call": { 2025: "tool", 2026: "tool" },
  "prompts/list": { 2025: "list", 2026: "list" },
  "prompts/get": { 2025: "prompt", 2026: "prompt" },
  "resources/list": { 2025: "list", 2026: "list" },
  "resources/templates/list": { 2025: "list", 2026: "list" },
  "resources/read": { 2025: "resource", 2026: "resource" },
  "completion/complete": { 2025: "completion", 2026: "completion" },
  "subscriptions/listen": { 2025: "refuse", 2026: "listen" },
  "resources/subscribe": { 2025: "refuse", 2026: "refuse" },
  "resources/unsubscribe": { 2025: "refuse", 2026: "refuse" },
  "logging/setLevel": { 2025: "refuse", 2026: "refuse" },
  "tasks/get": { 2025: "refuse", 2026: "refuse" },
  "tasks/list": { 2025: "refuse", 2026: "refuse" },
  "tasks/result": { 2025: "refuse", 2026: "refuse" },
  "tasks/cancel": { 2025: "refuse", 2026: "refuse" },
  "tasks/update": { 2025: "refuse", 2026: "refuse" },
} as const satisfies Readonly<Record<string, Readonly<Record<CallerEra, MethodRule>>>>;

/** The rule for a method. Methods that are not in the table are refused. */
export function ruleOf(method: string, revision: Revision | undefined): MethodRule {
  const era = eraOf(revision);
  return Object.hasOwn(METHODS, method) ? METHODS[method as keyof typeof METHODS][era] : "refuse";
}

/** The era of a caller that speaks a revision. */
export function eraOf(revision: Revision | undefined): CallerEra {
  return revision === undefined || revision === LATEST_REVISION ? "2026" : "2025";
}
