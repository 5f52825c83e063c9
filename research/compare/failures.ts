// The ten failures: what is caused, the question that each way has to answer, and the rule that judges an observation.

/** What was observed of one failure in one way. */
export interface Observation {
  /** What a host shows the model after the last call: the text of the result, or the message of the error. */
  readonly model: string;
  /** What the program gets. */
  readonly program: string;
  /** How many tool calls reached the server. */
  readonly requests: number;
  /** How often the tool ran. */
  readonly runs: number;
  /** Records that the sinks of Recourse got. Undefined in a way without Recourse. */
  readonly incidents?: number;
  /** Whole seconds until the answer. */
  readonly seconds: number;
  /** What a later call of another order gives, for failures that end the server. */
  readonly next?: string;
}

/** An answer to the question of a failure. */
export type Verdict = "yes" | "partly" | "no";

/** One failure. */
export interface Failure {
  readonly title: string;
  /** What happens, in one or two sentences. */
  readonly cause: string;
  readonly question: string;
  /** Options that a way needs here and does not have by default. */
  readonly setup?: string;
  readonly judge: (seen: Observation) => Verdict;
}

/** The text of the driver that must not leave the server. */
export const DRIVER_TEXT = "connect ECONNREFUSED postgres://app:hunter2@10.0.0.5/orders";
/** A sentence that a tool returns, written for its caller. */
export const SENTENCE = "Order 7 was shipped yesterday and cannot be cancelled.";
/** How long the server asks to wait. */
export const WAIT_SECONDS = 2;
/** How often a server that fails is called. */
export const CALLS = 100;

const isDone = ({ model }: Observation): boolean => /^(Order \d+ is cancelled|Charged \d+)\.$/.test(model);
const saysEffect = ({ model }: Observation): boolean => /may have|taken effect|took effect/i.test(model);

/** Two conditions: both are "yes", one is "partly", none is "no". */
function countBoth(first: boolean, second: boolean): Verdict {
  if (first && second) return "yes";
  return first || second ? "partly" : "no";
}

/** The failures, by name, in the order of the pages. */
export const FAILURES = {
  "driver-error": {
    title: "A driver error with a password",
    cause: `The tool throws \`${DRIVER_TEXT}\`.`,
    question: "Is the password hidden from the model?",
    judge: ({ model }) => (model.includes("hunter2") ? "no" : "yes"),
  },
  "unknown-tool": {
    title: "A tool that does not exist",
    cause: "The model calls `cancel_ordr`. The server has `cancel_order`.",
    question: "Does the model learn the right name?",
    judge: ({ model }) => (/cancel_order\b/.test(model) ? "yes" : model.includes("cancel_ordr") ? "partly" : "no"),
  },
  "wrong-arguments": {
    title: "Wrong arguments",
    cause: 'The model calls `cancel_order` with `{ "order": "seven" }`. The schema wants an integer.',
    question: "Does the model read which argument is wrong, and what is expected?",
    judge: ({ model }) => countBoth(/order/.test(model), /integer|number/.test(model)),
  },
  "rate-limited": {
    title: "429 with Retry-After",
    cause: `The server answers HTTP 429 with \`Retry-After: ${WAIT_SECONDS}\`, and refuses every call that comes earlier.`,
    question: "Does the server's wait reach the caller?",
    setup:
      "The library needs `observeTransport()`, since the SDK drops the header. p-retry runs with its own waits, 1 s and 2 s.",
    judge(seen) {
      if (isDone(seen)) return seen.requests === 2 ? "yes" : "partly";
      return new RegExp(`\\b${WAIT_SECONDS} ?s(?:econds?)?\\b`).test(seen.model) ? "yes" : "no";
    },
  },
  "no-answer": {
    title: "No answer after the charge",
    cause: "The tool charges a card and then never answers. The time of the call runs out.",
    question: "Is the card charged at most once, and does the model learn that it may have been charged?",
    setup: "Each way has a time limit of 300 ms: an option of the call, of `recourse`, or of the upstream.",
    judge: (seen) => (seen.runs > 1 ? "no" : countBoth(true, saysEffect(seen))),
  },
  "process-dies": {
    title: "The server process ends",
    cause: "The server is a program on stdio. It exits in the middle of a call.",
    question: "Does the next call work, and does the model learn that this one may have taken effect?",
    setup: "The library needs `reconnect`. The Recourse gateway needs no option.",
    judge: (seen) => countBoth(seen.next === "Order 8 is cancelled.", saysEffect(seen)),
  },
  "expired-token": {
    title: "An expired token",
    cause: "The server answers HTTP 401. A token endpoint gives a new token.",
    question: "Does the call succeed with a new token?",
    setup:
      "The SDK needs an `authProvider`; p-retry and the library use the same one. The Recourse gateway needs `clientCredentials`.",
    judge: (seen) => (isDone(seen) ? "yes" : /sign in|credential|authenticat/i.test(seen.model) ? "partly" : "no"),
  },
  "tool-sentence": {
    title: "A sentence of the tool",
    cause: `The tool returns \`isError\` with “${SENTENCE}”`,
    question: "Does the model read this sentence and nothing else?",
    judge: ({ model }) => (model === SENTENCE ? "yes" : model.includes(SENTENCE) ? "partly" : "no"),
  },
  "failing-server": {
    title: `A server that is down, called ${CALLS} times`,
    cause: `The server answers HTTP 503 without a body, to ${CALLS} calls one after the other.`,
    question: "Do the calls stop reaching the server after a few failures?",
    setup: "p-retry waits 1 ms here, to keep the run short. The circuit breakers of Recourse are on by default.",
    judge: ({ requests }) => (requests < CALLS ? "yes" : "no"),
  },
  "same-payment": {
    title: "The same payment, sent twice",
    cause:
      "The card is charged, but the answer is lost on its way to the caller. The caller sends the same payment again.",
    question: "Is the card charged once, and does the caller get the result?",
    setup:
      "The library needs an idempotency store at the server and a key at the call. The Recourse gateway needs `idempotency`, a caller with credentials, and the key. If the tool itself recognises a repeated payment, every way charges once.",
    judge: (seen) => (seen.runs > 1 ? "no" : countBoth(true, isDone(seen))),
  },
} as const satisfies Record<string, Failure>;

/** The name of a failure. */
export type FailureName = keyof typeof FAILURES;

/** The names of all failures, in order. */
export const FAILURE_NAMES = Object.keys(FAILURES) as FailureName[];
