// What every answer has to be: exactly one, in the form that the protocol requires, and a refusal if there is nothing to answer.
import {
  arrayAt,
  hasHandshake,
  isObject,
  type JsonObject,
  memberAt,
  NEWEST_REVISIONS,
  objectAt,
  parseJson,
  stringAt,
} from "@recourse/core/wire";
import type { RecordedAnswer, RecordedExchange } from "../recording/recording.ts";
import {
  type EraView,
  failCheck,
  GUARD_FIX,
  judgeEach,
  type ProbeCheck,
  passCheck,
  skipCheck,
  visibleText,
} from "./check.ts";
import {
  answerCode,
  answerError,
  answerResult,
  arrivedMessages,
  bodyKind,
  hasOutcome,
  isDenied,
  isSuccess,
  isToolFailure,
  LIST_CAPABILITIES,
  ordinaryRequests,
  select,
  subject,
} from "./exchanges.ts";

const answerIsMessage: ProbeCheck = {
  id: "answer-form",
  category: "protocol",
  severity: "high",
  since: 2,
  source: "yours",
  title: "Every answer is one JSON-RPC message.",
  failsWhen:
    "An ordinary request gets a success status with a page, an empty body, a list of messages, or JSON that is not JSON-RPC 2.0. Or a message has both a result and an error, a result that is not an object, or an error without a message.",
  notCounted:
    "Statuses of 300 and higher, which `http-error-json` covers. Answers with another id: `id-kept` finds those.",
  why: "Clients cannot read any other answer: they drop it and wait until they time out.",
  fix: {
    text: "Let the official SDK write messages, and make sure that a proxy in front passes them on unchanged. If you write them yourself, send either `result` or `error`, as an object.",
    code: `const answer = { jsonrpc: "2.0", id: request.id, error: { code: -32602, message: "There is no such tool." } };`,
  },
  run(view) {
    const [line] = view.era.strayLines.map((text) => parseJson(text)).filter(isAlmostAnswer);
    const [first] = view.era.exchanges;
    if (line !== undefined && first !== undefined)
      return failCheck(`An answer on stdout is no JSON-RPC 2.0: its member jsonrpc is ${shownMember(line)}.`, [first]);
    return judgeEach(
      ordinaryRequests(view).filter(({ answer }) => answer.kind === "message" || answer.kind === "body"),
      { nothing: "No request was answered.", wrong: malformedAnswer },
    );
  },
};

function isAlmostAnswer(value: unknown): value is JsonObject {
  return isObject(value) && hasOutcome(value) && memberAt(value, "id") !== undefined && value["jsonrpc"] !== "2.0";
}

const shownMember = (message: JsonObject): string => visibleText(JSON.stringify(message["jsonrpc"]) ?? "missing", 40);

function malformedAnswer(exchange: RecordedExchange): string | undefined {
  const { answer } = exchange;
  const what = subject(exchange);
  if (answer.kind === "body") {
    const { status, streamed } = answer.http ?? { status: 200, streamed: false };
    // A stream without an answer hangs, and an answer with another id is one.
    const isOther = arrivedMessages(answer).some((message) => message["jsonrpc"] === "2.0" && hasOutcome(message));
    const isAlmost = arrivedMessages(answer).some(isAlmostAnswer);
    if (status >= 300 || (streamed && !isAlmost) || isOther) return undefined;
    if (isAlmost) return `${what} is answered with a message that is no JSON-RPC 2.0.`;
    return `${what} is answered with status ${status} and ${bodyKind(answer)}.`;
  }
  if (answer.kind !== "message") return undefined;
  const { message, text } = answer;
  if (Array.isArray(parseJson(text))) return `${what} is answered with a list of messages.`;
  const [hasResult, hasError] = [Object.hasOwn(message, "result"), Object.hasOwn(message, "error")];
  if (hasResult && hasError) return `${what} is answered with a result and an error at once.`;
  if (hasResult && answerResult(answer) === undefined) return `${what} is answered with a result that is no object.`;
  if (hasError && answerError(answer) === undefined) return `${what} is answered with an error that is no object.`;
  if (hasError && stringAt(answerError(answer), "message") === undefined)
    return `${what} is answered with an error that has no message.`;
  return undefined;
}

const resultForm: ProbeCheck = {
  id: "result-form",
  category: "protocol",
  severity: "high",
  since: 2,
  source: "yours",
  title: "Results have the members that the protocol requires.",
  failsWhen:
    "A tool result has no `content` array of typed parts, `isError` is not a boolean, a list is not an array of objects, or the answer to `initialize` names neither capabilities nor a server.",
  notCounted: "Results with `isError` but without a text: `error-has-text` finds those.",
  why: "Official clients check results and discard those that do not conform.",
  fix: {
    text: "Return what the protocol specifies: a tool returns an array of parts, each with its type.",
    code: `return { content: [{ type: "text", text: "2 lamps" }] };`,
  },
  run: (view) =>
    judgeEach(
      ordinaryRequests(view).filter(({ answer }) => answerResult(answer) !== undefined),
      {
        nothing: "No request got a result.",
        wrong(exchange) {
          const result = answerResult(exchange.answer) ?? {};
          const method = stringAt(exchange.sent.message, "method") ?? "";
          // A result may ask for input instead.
          const isWhole = (stringAt(result, "resultType") ?? "complete") === "complete";
          const flaw = isWhole && Object.hasOwn(RESULT_FLAWS, method) ? RESULT_FLAWS[method]?.(result) : undefined;
          return flaw && `The result of ${method} has ${flaw}.`;
        },
      },
    ),
};

/** A list of objects under a member. */
const listFlaw =
  (member: string) =>
  (result: JsonObject): string | undefined => {
    const list = result[member];
    return Array.isArray(list) && list.every(isObject) ? undefined : `no list of objects in ${member}`;
  };

/** What is wrong with the result of a method, after "has". */
const RESULT_FLAWS: Readonly<Record<string, (result: JsonObject) => string | undefined>> = {
  initialize(result) {
    if (objectAt(result, "capabilities") === undefined) return "no object in capabilities";
    const info = objectAt(result, "serverInfo");
    const isNamed = stringAt(info, "name") !== undefined && stringAt(info, "version") !== undefined;
    return isNamed ? undefined : "no serverInfo with a name and a version";
  },
  "tools/call"(result) {
    const { content, isError, structuredContent } = result;
    if (isError !== undefined && typeof isError !== "boolean") return "an isError that is not a boolean";
    if (structuredContent !== undefined && !isObject(structuredContent)) return "a structuredContent that is no object";
    if (isError === true) return undefined;
    if (!Array.isArray(content)) return "no list in content";
    return content.every((part) => stringAt(part, "type") !== undefined)
      ? undefined
      : "a part of content without a type";
  },
  ...Object.fromEntries(Object.entries(LIST_CAPABILITIES).map(([method, { member }]) => [method, listFlaw(member)])),
};

const answeredOnce: ProbeCheck = {
  id: "answered-once",
  category: "protocol",
  severity: "medium",
  since: 2,
  source: "yours",
  title: "Every request gets one answer.",
  failsWhen: "Two answers with the id of the same request arrive, together or one later.",
  why: "Clients report the second answer as an error, or match it to another request.",
  fix: {
    text: "Answer in one place. A handler that sends an answer and also returns a value answers twice, and so does a message that goes to two transports.",
  },
  run: (view) =>
    judgeEach(view.era.exchanges, {
      nothing: "Nothing was sent.",
      wrong: (exchange) =>
        (exchange.copies ?? 1) > 1 ? `${subject(exchange)} is answered ${exchange.copies} times.` : undefined,
    }),
};

const unknownToolRefused: ProbeCheck = {
  id: "unknown-tool-refused",
  category: "protocol",
  severity: "high",
  since: 2,
  source: "yours",
  title: "A tool that does not exist is refused.",
  failsWhen: "A call to a tool that is not listed gets a result without `isError`, whatever its text says.",
  why: "If the call is not refused, the model and the software around it treat it as done.",
  fix: { text: "`guard` refuses names that are not your tools before your handler runs.", code: GUARD_FIX },
  run: (view) =>
    judgeEach(
      [...select(view, "unknown-tool"), ...select(view, "long-tool-name"), ...select(view, "hostile-tool-name")].filter(
        ({ answer }) => answer.kind === "message" && !isDenied(answer),
      ),
      {
        nothing: "No unknown tool was called, or it got no answer.",
        wrong: (exchange) =>
          isSuccess(exchange.answer) ? `${subject(exchange)} is answered as a success.` : undefined,
      },
    ),
};

const pingAnswered: ProbeCheck = {
  id: "ping-answered",
  category: "protocol",
  severity: "medium",
  since: 2,
  source: "yours",
  revisions: NEWEST_REVISIONS.filter(hasHandshake),
  title: "A ping is answered.",
  failsWhen: "A ping gets an error.",
  notCounted: "2026-07-28, which has no ping. A ping without any answer: `no-hang` finds it.",
  why: "Hosts use a ping to check whether the server is alive, and end the session if it is not.",
  fix: {
    text: "Answer `ping` with an empty result. The official SDK does this for you.",
    code: `if (request.method === "ping") return { jsonrpc: "2.0", id: request.id, result: {} };`,
  },
  run: (view) =>
    judgeEach(
      select(view, "ping").filter(({ answer }) => answer.kind === "message" && !isDenied(answer)),
      {
        nothing: "No ping was sent, or it got no answer.",
        wrong: ({ answer }) =>
          answerError(answer) === undefined && !isToolFailure(answer)
            ? undefined
            : `A ping gets the error ${answerCode(answer) ?? "without a number"}.`,
      },
    ),
};

const listsComplete: ProbeCheck = {
  id: "lists-complete",
  category: "protocol",
  severity: "high",
  since: 2,
  source: "yours",
  title: "Lists can be read to the end.",
  failsWhen:
    "The list of a declared capability gets an error, the server refuses or repeats a cursor that it issued, or further pages have no new entries.",
  notCounted: "The error -32601: `capabilities-honest` finds it. Long lists: the probe reads only 10 pages.",
  why: "Hosts read all pages before they begin, so they see no tools at all or never stop asking.",
  fix: {
    text: "Omit `nextCursor` on the last page, and never return the cursor of the current page.",
    code: `const next = start + PAGE_SIZE;
return { tools: tools.slice(start, next), ...(next < tools.length && { nextCursor: String(next) }) };`,
  },
  run(view) {
    const methods = Object.keys(LIST_CAPABILITIES) as (keyof typeof LIST_CAPABILITIES)[];
    const looked = methods.filter(
      (method) => view.era.capabilities[LIST_CAPABILITIES[method].capability] !== undefined,
    );
    const pages = looked.flatMap((method) => judgeListPages(view, method));
    return judgeEach(pages, { nothing: "No list was answered.", wrong: ({ flaw }) => flaw });
  },
};

/** So many pages without anything new are not chance. */
const MAX_EMPTY_PAGES = 3;

/** The pages of a list, and what is wrong with each of them. */
function judgeListPages(view: EraView, method: keyof typeof LIST_CAPABILITIES) {
  const given = new Set<string>();
  const entries = new Set<string>();
  let empty = 0;
  return select(view, "list", method)
    .filter(({ answer }) => answer.kind === "message" && !isDenied(answer))
    .map((exchange) => {
      const result = answerResult(exchange.answer);
      const cursor = stringAt(objectAt(exchange.sent.message, "params"), "cursor");
      if (result === undefined) return { exchange, flaw: pageError(method, cursor, exchange.answer) };
      const added = arrayAt(result, LIST_CAPABILITIES[method].member)
        .map((entry) => JSON.stringify(entry))
        .filter((entry) => !entries.has(entry));
      for (const entry of added) entries.add(entry);
      const next = stringAt(result, "nextCursor");
      empty = added.length === 0 && next !== undefined ? empty + 1 : 0;
      const isAgain = next !== undefined && given.has(next);
      if (next !== undefined) given.add(next);
      if (isAgain) return { exchange, flaw: `The same nextCursor of ${method} comes again, so the list has no end.` };
      const flaw = `${MAX_EMPTY_PAGES} pages of ${method} in a row bring nothing new and name another page.`;
      return { exchange, flaw: empty === MAX_EMPTY_PAGES ? flaw : undefined };
    });
}

function pageError(method: string, cursor: string | undefined, answer: RecordedAnswer): string | undefined {
  const code = answerCode(answer);
  if (cursor !== undefined) return `${method} refuses the cursor that the server gave, with the error ${code ?? ""}.`;
  // Templates are optional, and what is declared and not served is another finding.
  if (code === -32_601 || method === "resources/templates/list") return undefined;
  return `${method} is answered with the error ${code ?? ""}.`;
}

const toolNamesAccepted: ProbeCheck = {
  id: "tool-names",
  category: "protocol",
  severity: "medium",
  since: 2,
  source: "yours",
  title: "Every tool has a unique name that hosts accept.",
  failsWhen:
    "Two tools have the same name, or a name is missing, longer than 128 characters, or has characters other than letters, digits, `_`, `-`, `.` and `/`.",
  why: "If a name is not valid or not unique, hosts skip the tool, call the wrong one, or reject the whole list.",
  fix: {
    text: "Give each tool a short name of letters, digits and underscores.",
    code: `server.registerTool("list_orders", config, listOrders);`,
  },
  run(view) {
    const [list] = select(view, "list", "tools/list");
    if (view.era.tools.length === 0 || list === undefined) return skipCheck("The server lists no tools.");
    const names = view.era.tools.map((tool) => tool["name"]);
    const twice = names.find((name, index) => typeof name === "string" && names.indexOf(name) !== index);
    if (twice !== undefined) return failCheck(`Two tools have the name ${visibleText(String(twice), 60)}.`, [list]);
    if (names.some((name) => typeof name !== "string" || name === "")) return failCheck("A tool has no name.", [list]);
    const odd = names.find((name) => !/^[\w./-]{1,128}$/.test(String(name)));
    return odd === undefined
      ? passCheck()
      : failCheck(`Hosts do not accept the name of the tool ${visibleText(String(odd), 60)}.`, [list]);
  },
};

/** The form and the number of answers, and lists. */
export const ANSWER_CHECKS: readonly ProbeCheck[] = [
  answerIsMessage,
  resultForm,
  answeredOnce,
  unknownToolRefused,
  pingAnswered,
  listsComplete,
  toolNamesAccepted,
];
