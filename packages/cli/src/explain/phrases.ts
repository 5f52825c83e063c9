import { type Fault, FOREIGN_TEXT, KINDS, type KindRow, knownKind, type RuleGroup } from "@recourse/faults";
import type { FailureActor, Surrounding } from "@recourse/faults/explain";

/** Who has to act. */
export const ACTOR_PHRASES = {
  model: "the model",
  host: "the host software",
  person: "a person",
  time: "no one: wait",
  engine: "the engine that repeats calls, else the model",
  operator: "the operator",
  nobody: "no one",
} as const satisfies Record<KindRow["actor"], string>;

/** Who has to act on a failure that was pasted. */
export const FAILURE_ACTOR_PHRASES = {
  ...ACTOR_PHRASES,
  setup: "you, or who set up the connection",
  author: "the author of the server",
  host: "the host or client software",
  engine: "you: look before you repeat the call",
} as const satisfies Record<FailureActor, string>;

/** What stood around a failure in a text. */
export const SURROUNDING_PHRASES = {
  access_log: "a line of an access log",
  colours: "colours of a terminal",
  cut: "a text that is cut: more of it may say more",
  event_stream: "an event stream",
  http_reply: "an HTTP reply",
  json: "JSON",
  log_line: "a log line",
  quotes: "quotes",
  sdk_prefix: "the words of an SDK",
  stack: "a stack trace",
} as const satisfies Record<Surrounding, string>;

/** The meaning of each effect. */
export const EFFECT_PHRASES = {
  none: "nothing was changed",
  possible: "it may have taken effect",
  applied: "it has taken effect",
} as const satisfies Record<KindRow["effect"], string>;

/** Whether a call may be repeated, for each kind. */
export const REPEAT_PHRASES = {
  never: "no",
  after_credentials: "once, with new credentials",
  after_approval: "after the approval",
  after_wait: "yes, after the wait",
  if_safe: "only where repeating does no harm",
} as const satisfies Record<KindRow["retryWhen"], string>;

/** Whether the call may be repeated after this fault. */
export function sayRepeat(fault: Fault): string {
  if (fault.retry?.allowed === false) return "no, waiting does not help";
  if (fault.retry?.allowed === true) return `yes, after ${(fault.retry.afterMs ?? 0) / 1000} s`;
  const { retryWhen: repeat } = KINDS[knownKind(fault)];
  return repeat === "if_safe" && fault.effect === "none" ? "yes, it was not carried out" : REPEAT_PHRASES[repeat];
}

/** What a text gives away, by the group of the rule that finds it. */
const LEAKS = {
  code: "code or a stack trace",
  credential: "a credential",
  database: "a statement or the names of a database",
  hostile: "an instruction to the model, or hidden characters",
  host: "a host of the inner network",
  id: "an internal id",
  markup: "a page instead of a sentence",
  path: "a path of the server's machine",
  personal: "personal data",
  provider: "an internal text of a provider",
  system: "an error text of the system",
  url: "an internal address",
} as const satisfies Record<RuleGroup, string>;

/** What a text that a server sent gives away. Undefined if a guarded server would have sent it too. */
export function leakIn(text: string): string | undefined {
  const rule = FOREIGN_TEXT.ruleForQuote(text, {});
  if (rule === undefined) return undefined;
  const [group = ""] = rule.split(".");
  return Object.hasOwn(LEAKS, group) ? LEAKS[group as RuleGroup] : "something internal";
}
