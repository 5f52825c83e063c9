import type { KindRow } from "@recourse/core";
import type { FailureActor, Surrounding } from "@recourse/explain";

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
