import type { RecordedAnswer, RecordedExchange, StimulusName } from "../recording/recording.ts";
import {
  EDGE_FIX,
  type EraView,
  EXPRESS_EDGE_FIX,
  failCheck,
  judgeEach,
  type ProbeCheck,
  passCheck,
  quoteText,
  STDIN_OR_EDGE_FIX,
  skipCheck,
} from "./check.ts";
import {
  answerResult,
  answerStatus,
  arrivedMessages,
  codeWithoutId,
  hasOutcome,
  isDenied,
  select,
  sentPhrase,
  strayResponses,
  subject,
} from "./exchanges.ts";

/** The answer after a refusal may take so long. */
const NEXT_ANSWER_MS = 2_000;

/** Silence is right here, or another check judges it. */
const MAY_BE_SILENT: ReadonlySet<StimulusName> = new Set([
  "malformed-message",
  "deep-json",
  "long-message",
  "concurrent",
  "notification",
  "close-stdin",
]);

const noHang: ProbeCheck = {
  id: "no-hang",
  category: "robustness",
  severity: "critical",
  source: "yours",
  title: "Every request gets an answer.",
  failsWhen:
    "A request gets no answer within 8 seconds, a valid tool call gets none within 15 seconds (30 with `--slow`), or the stream for it ends without an answer.",
  notCounted:
    "Wrong arguments that may wait behind a slow call. GET requests, which may open a stream. Answers with another id: `id-kept` finds those.",
  why: "Without an answer, the client waits until it times out, often for a minute, and the model's turn is lost.",
  fix: {
    text: "`guard` answers every call, even if a handler never ends, throws something unreadable or returns something that JSON cannot encode.",
    code: `const shop = new McpServer({ name: "shop", version: "1.0.0" });
const server = guard(shop, { deadlineMs: 30_000 });`,
  },
  run(view) {
    const isBusy = select(view, "valid-call").some(({ answer }) => answer.ms >= BUSY_MS);
    const looked = view.era.exchanges.filter(
      ({ stimulus, answer }) =>
        !MAY_BE_SILENT.has(stimulus) &&
        answer.kind !== "inconclusive" &&
        !(stimulus === "wrong-arguments" && isBusy && answer.kind === "silent"),
    );
    return judgeEach(looked, {
      nothing: "No request was sent.",
      wrong: (exchange) =>
        isHung(exchange) ? `${subject(exchange)} gets no answer${hangText(exchange.answer)}.` : undefined,
    });
  },
};

/** A tool that takes this long may keep the calls waiting that are sent beside it. */
const BUSY_MS = 2_000;

function isHung({ stimulus, variant, answer }: RecordedExchange): boolean {
  if (arrivedMessages(answer).some(hasOutcome) || (stimulus === "http-edge" && variant === "get")) return false;
  if (answer.kind === "body") return answer.http?.streamed === true && answer.http.status < 300;
  return answer.kind === "silent";
}

function hangText(answer: RecordedAnswer): string {
  return answer.kind === "body" ? ": the stream ends" : ` within ${Math.round(answer.ms / 1_000)} s`;
}

/** The end of input ends a server. A long message is judged by `line-limit` and `body-limit`. */
const MAY_END: ReadonlySet<StimulusName> = new Set(["close-stdin", "long-message"]);
/** An HTTP server may drop the connection of a request that it does not serve. */
const MAY_DROP: ReadonlySet<StimulusName> = new Set(["http-edge", "credentials", "notification"]);

const noCrash: ProbeCheck = {
  id: "no-crash",
  category: "robustness",
  severity: "critical",
  source: "yours",
  title: "No message stops the server.",
  failsWhen:
    "The process exits or the connection breaks, before or after the answer, on anything other than the end of input or a very long message.",
  notCounted:
    "Connections that an HTTP server drops because of unusual HTTP requests. The exit code does not matter: 0 is counted too.",
  why: "One bad message from one caller ends the sessions of all callers.",
  fix: {
    // No code: errors that end a program are mostly thrown outside handlers, where no guard can catch them.
    text: "Catch errors that your code throws outside handlers: in timers, in listeners, and in promises that nothing awaits. `guard` catches what handlers throw, and `guardStdin` and `guardHandler` answer requests that fail before a handler runs.",
  },
  run(view) {
    const isHttp = view.recording.target.transport === "http";
    const looked = view.era.exchanges.filter(
      ({ stimulus }) => !MAY_END.has(stimulus) && !(isHttp && MAY_DROP.has(stimulus)),
    );
    return judgeEach(looked, {
      nothing: "Nothing was sent.",
      wrong: (exchange) =>
        exchange.answer.kind === "closed" || exchange.ended !== undefined ? crashText(exchange, isHttp) : undefined,
    });
  },
};

function crashText(exchange: RecordedExchange, isHttp: boolean): string {
  const { answer, ended } = exchange;
  const exit = answer.kind === "closed" ? answer : ended;
  if (exit === undefined || isHttp) return `${subject(exchange)} breaks the connection.`;
  const how = exit.signal
    ? ` by ${exit.signal}`
    : typeof exit.exitCode === "number"
      ? ` with code ${exit.exitCode}`
      : "";
  return `The process ends${how} after ${ended === undefined ? "" : "it answered "}${sentPhrase(exchange)}.`;
}

const concurrentAnswers: ProbeCheck = {
  id: "concurrent-answers",
  category: "robustness",
  severity: "high",
  source: "yours",
  preview: true,
  follows: ["no-crash", "no-hang"],
  title: "Concurrent requests are all answered.",
  failsWhen: "One of many concurrent requests has no answer after 25 seconds.",
  notCounted: "Slow answers. Refusals such as 429, which count as answers.",
  why: "Hosts call tools in parallel, so one lost answer stops the whole turn.",
  fix: {
    text: "Keep the state of each request separate, for example in local variables of its handler, never in module variables. Over stdio, write each message with a single call.",
  },
  run(view) {
    const looked = select(view, "concurrent");
    const lost = looked.filter(({ answer }) => answer.kind === "silent" || answer.kind === "closed");
    const [first, ...more] = lost;
    if (looked.length === 0) return skipCheck("No requests were sent at once.");
    if (first === undefined) return passCheck();
    return failCheck(`${lost.length} of ${looked.length} requests that were sent at once get no answer.`, [
      first,
      ...more,
    ]);
  },
};

const INVALID_REQUEST_CODES: readonly unknown[] = [-32_600, -32_700, -32_602];
const PARSE_ERROR_CODE = -32_700;

const invalidRequestAnswered: ProbeCheck = {
  id: "invalid-request-answered",
  category: "robustness",
  severity: "low",
  source: "sdk",
  follows: ["http-no-5xx"],
  title: "A request that violates JSON-RPC is refused under its id.",
  failsWhen:
    "A message that has an id, but no `jsonrpc` or an array as `params`, gets no answer, or any answer other than -32600, -32602 or -32700.",
  why: "Without an answer, the caller waits until it times out, although the server knew at once what was wrong.",
  fix: {
    text: "The official SDK drops such messages. `guardStdin` and `guardHandler` answer them, under their id if it can be read.",
    code: STDIN_OR_EDGE_FIX,
  },
  run: (view) =>
    judgeEach(malformedExchanges(view, "no-jsonrpc", "list-params"), {
      nothing: "No malformed request was sent.",
      wrong: (exchange) => badRefusal(exchange, INVALID_REQUEST_CODES),
    }),
};

const parseErrorAnswered: ProbeCheck = {
  id: "parse-error-answered",
  category: "robustness",
  severity: "low",
  source: "sdk",
  follows: ["leak-stack", "http-no-5xx"],
  title: "Input that is not JSON gets the error -32700.",
  failsWhen: "Broken JSON or plain text gets no answer, a page, or an error with a code other than -32700.",
  why: "Without this error, the caller waits until it times out, or shows a page that says nothing about the mistake.",
  fix: {
    text: "The official SDK drops such lines over stdio. `guardStdin` and `guardHandler` answer them. If a body parser runs first, such as that of Express, add `edgeErrorHandler` too.",
    code: `${STDIN_OR_EDGE_FIX}\napp.use("/mcp", edgeErrorHandler()); // behind Express`,
  },
  run: (view) =>
    judgeEach(malformedExchanges(view, "cut", "text"), {
      nothing: "Nothing but JSON was sent.",
      wrong: (exchange) => badRefusal(exchange, [PARSE_ERROR_CODE]),
    }),
};

/** Malformed messages that got an answer, or silence. A crash is judged by `no-crash`. */
function malformedExchanges(view: EraView, ...variants: readonly string[]): readonly RecordedExchange[] {
  return select(view, "malformed-message", ...variants).filter(
    ({ answer }) => answer.kind !== "closed" && answer.kind !== "inconclusive" && !isDenied(answer),
  );
}

function badRefusal(exchange: RecordedExchange, codes: readonly unknown[]): string | undefined {
  const { answer } = exchange;
  const code = codeWithoutId(answer);
  if (codes.includes(code)) return undefined;
  const what = subject(exchange);
  if (answer.kind === "silent" && code === undefined) return `${what} gets no answer.`;
  if (answerResult(answer) !== undefined) return `${what} is answered as if nothing was wrong with it.`;
  if (code !== undefined) return `${what} gets the error ${quoteText(String(code), 20)}.`;
  return `${what} gets ${answerStatus(answer) ?? "an answer"} without a JSON-RPC error.`;
}

const deepJsonAnswered: ProbeCheck = {
  id: "deep-json",
  category: "robustness",
  severity: "medium",
  source: "yours",
  follows: ["no-crash"],
  title: "Deeply nested JSON is answered like any other mistake.",
  failsWhen: "20,000 nested arrays get 5xx or no answer.",
  notCounted: "A server that exits: `no-crash` finds it.",
  why: "Recursive code overflows the stack on deeply nested values, and loggers and tracers are often recursive.",
  fix: { text: "`guardHandler` answers if a handler overflows the stack.", code: EDGE_FIX },
  run(view) {
    const looked = select(view, "deep-json").filter(
      ({ answer }) => answer.kind !== "closed" && answer.kind !== "inconclusive",
    );
    return judgeEach(looked, {
      nothing: "No deeply nested JSON was sent.",
      wrong({ answer }) {
        const status = answerStatus(answer) ?? 200;
        if (status >= 500) return `20,000 nested lists get ${status}.`;
        const isSilent = answer.kind === "silent" && strayResponses(answer).length === 0;
        return isSilent ? "20,000 nested lists get no answer." : undefined;
      },
    });
  },
};

const httpAfterRefusal: ProbeCheck = {
  id: "http-after-refusal",
  category: "robustness",
  severity: "high",
  source: "yours",
  transport: "http",
  title: "A connection stays usable after a refused body.",
  failsWhen:
    "A body of 6 MB is refused, the connection stays open, and the next request on it takes more than 2 seconds.",
  notCounted: "Servers that close the connection or accept the body.",
  why: "Clients share connections, so one long body makes other requests wait.",
  fix: {
    text: "Read and discard the rest of a refused body, or answer with `Connection: close`. `guardHandler` with `toNodeListener` discards the rest.",
    code: EXPRESS_EDGE_FIX,
  },
  run(view) {
    const [long] = select(view, "long-message").filter(({ variant }) => variant !== "next");
    const isRefused = long !== undefined && (answerStatus(long.answer) ?? 0) >= 400;
    return judgeEach(isRefused ? select(view, "long-message", "next").filter(staysOpen) : [], {
      nothing: "No long body was refused on a connection that stays open.",
      wrong: ({ answer }) =>
        answer.ms > NEXT_ANSWER_MS
          ? `After a refused body, the next request on the connection takes ${(answer.ms / 1_000).toFixed(1)} s.`
          : undefined,
    });
  },
};

const staysOpen = ({ answer }: RecordedExchange): boolean => answer.kind !== "closed" && answer.kind !== "inconclusive";

/** Whether the server answers, and keeps running. */
export const ROBUSTNESS_CHECKS: readonly ProbeCheck[] = [
  noHang,
  noCrash,
  concurrentAnswers,
  invalidRequestAnswered,
  parseErrorAnswered,
  deepJsonAnswered,
  httpAfterRefusal,
];
