import {
  arrayAt,
  HANDSHAKE_VERSIONS,
  hasHandshake,
  type JsonObject,
  NEWEST_REVISIONS,
  objectAt,
  stringAt,
} from "@recourse/core/wire";
import type { RecordedAnswer, RecordedExchange } from "../recording/recording.ts";
import { EDGE_FIX, type EraView, judgeEach, type ProbeCheck, quoteText, visibleText } from "./check.ts";
import {
  answerCode,
  answerError,
  answerResult,
  answerStatus,
  arrivedMessages,
  hasOutcome,
  isDenied,
  isRefused,
  LIST_CAPABILITIES,
  modelText,
  ordinaryRequests,
  select,
} from "./exchanges.ts";
import { collectStrings } from "./failures.ts";

const UNSUPPORTED_VERSION_CODE = -32022;
const METHOD_NOT_FOUND_CODE = -32601;

const idKept: ProbeCheck = {
  id: "id-kept",
  category: "protocol",
  severity: "critical",
  source: "yours",
  title: "Every answer has the id of its request.",
  failsWhen:
    "The id of a request is a string, 0 or a large number, and the answer has another id. Or the answer to any ordinary request has its id as another type, or has no id.",
  notCounted: "Requests that get no answer at all: `no-hang` finds those.",
  why: "A client matches answers to requests by id, so an answer with another id is lost.",
  fix: {
    text: "Copy the id of the request unchanged. 0 and strings are valid ids, so compare with `undefined` and never convert the id.",
    code: `// not Number(request.id), not request.id || null
const answer = { jsonrpc: "2.0", id: request.id, result };`,
  },
  run: (view) =>
    judgeEach(
      ordinaryRequests(view).filter(({ answer }) => (answerStatus(answer) ?? 200) < 400),
      {
        nothing: "No request with an id was sent.",
        wrong({ stimulus, sent, answer }) {
          const id = sent.message?.["id"];
          const arrived = arrivedMessages(answer).filter(hasOutcome);
          // Requests that overlap may see the answers of others; those with an unusual id are sent alone.
          const isMeant = (message: JsonObject): boolean =>
            stimulus === "odd-id" || (message["id"] ?? null) === null || String(message["id"]) === String(id);
          const [other] = arrived.some((message) => message["id"] === id) ? [] : arrived.filter(isMeant);
          return other && `The answer to a request with the id ${shownId(id)} has ${otherIdText(other["id"])}.`;
        },
      },
    ),
};

const shownId = (id: unknown): string => visibleText(JSON.stringify(id) ?? "none", 40);
const otherIdText = (id: unknown): string => (id === undefined ? "no id" : `the id ${shownId(id)}`);

const versionNegotiated: ProbeCheck = {
  id: "version-negotiated",
  category: "protocol",
  severity: "high",
  source: "yours",
  title: "A client with another protocol version learns which versions it can use.",
  failsWhen:
    "A protocol version that never existed does not get a version that the server supports (up to 2025-11-25) or the error -32022 with `data.supported` (2026-07-28). Or the server agrees to a version that does not exist.",
  notCounted:
    "In 2026-07-28 over stdio, the first request sets the version for the whole connection, so the server may answer a later one.",
  why: "A client that is newer or older than the server has no other way to find a version that both support.",
  fix: {
    text: "Leave the negotiation to the official SDK: `McpServer` with its own transports handles it. If you handle it yourself, send the newest version that you support.",
  },
  run(view) {
    const { revision } = view.era;
    const isPinned = view.recording.target.transport === "stdio" && !hasHandshake(revision);
    const looked = [
      ...select(view, "unknown-version", "body").filter(
        ({ answer }) => isAnswered(answer) && !(isPinned && answerResult(answer) !== undefined),
      ),
      ...(hasHandshake(revision) ? select(view, "handshake") : []),
    ];
    return judgeEach(looked, {
      nothing: isPinned
        ? "Over stdio, the first request has decided the version."
        : "No unknown version was sent, or it got no answer.",
      wrong: hasHandshake(revision) ? notNegotiated : notRefused,
    });
  },
};

const isAnswered = (answer: RecordedAnswer): boolean =>
  (answer.kind === "message" || answer.kind === "body") && !isDenied(answer);

function notNegotiated({ stimulus, answer }: RecordedExchange): string | undefined {
  const version = stringAt(answerResult(answer), "protocolVersion");
  if (version !== undefined) {
    if (HANDSHAKE_VERSIONS.includes(version)) return undefined;
    return stimulus === "handshake"
      ? `The server agrees on the version ${quoteText(version, 20)}, which does not exist.`
      : `An unknown protocol version is answered with ${quoteText(version, 20)}, which does not exist.`;
  }
  const code = answerCode(answer);
  return code === undefined
    ? "The answer to an unknown protocol version names no version of the server."
    : `An unknown protocol version gets the error ${code}, and no version of the server.`;
}

function notRefused({ answer }: RecordedExchange): string | undefined {
  const code = answerCode(answer);
  const supported = arrayAt(objectAt(answerError(answer), "data"), "supported");
  if (code === UNSUPPORTED_VERSION_CODE && supported.length > 0) return undefined;
  if (code === UNSUPPORTED_VERSION_CODE)
    return "The error -32022 does not list the supported versions in data.supported.";
  return code === undefined
    ? "A request with an unknown protocol version is not refused with the error -32022."
    : `A request with an unknown protocol version gets the error ${code} instead of -32022.`;
}

const versionDetail: ProbeCheck = {
  id: "version-detail",
  category: "protocol",
  severity: "medium",
  source: "yours",
  transport: "http",
  follows: ["http-no-5xx"],
  title: "The refusal of a version header names the supported versions.",
  failsWhen: "A request with an unknown `MCP-Protocol-Version` header is refused, and the answer names no version.",
  notCounted: "Servers that ignore the header. Timestamps look like versions, so the check ignores them.",
  why: "A client that is refused has to know which version it can fall back to.",
  fix: {
    text: "`guardHandler` keeps the list of versions that the SDK sends and adds it to the text.",
    code: EDGE_FIX,
  },
  run: (view) =>
    judgeEach(
      select(view, "unknown-version", "header").filter(({ answer }) => isRefused(answer) && !isDenied(answer)),
      {
        nothing: "No request was refused for its version header.",
        wrong({ answer }) {
          const text = answer.kind === "message" ? collectStrings(answer.message).join("\n") : modelText(answer);
          if (VERSION_DATE.test(text.replaceAll(TIMESTAMP, ""))) return undefined;
          return `An unknown version in the header is refused with ${quoteText(modelText(answer))}, and no supported version is named.`;
        },
      },
    ),
};

const TIMESTAMP = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*Z?/g;
const VERSION_DATE = /\b20\d\d-\d\d-\d\d\b/;

const session404: ProbeCheck = {
  id: "session-404",
  category: "protocol",
  severity: "high",
  source: "yours",
  transport: "http",
  revisions: NEWEST_REVISIONS.filter(hasHandshake),
  title: "A request with an unknown session gets 404.",
  failsWhen: "A request with a made-up `Mcp-Session-Id` is refused, but not with 404.",
  notCounted:
    "Servers that ignore sessions and answer. A refusal because of credentials. 5xx, which `http-no-5xx` finds.",
  why: "Only 404 makes a client open a new session. With any other status, the client stays broken until it is restarted.",
  fix: {
    text: "Look up the session first, and answer an unknown id with 404.",
    code: `const transport = sessions.get(sessionId);
if (transport === undefined) {
  const error = { code: -32001, message: "There is no such session. Initialize again." };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
}`,
  },
  run(view) {
    const looked = select(view, "http-edge", "unknown-session").filter(({ answer }) => {
      const status = answerStatus(answer) ?? 0;
      const isError = status < 300 && answerError(answer) !== undefined;
      return isError || (status >= 400 && status < 500 && !isDenied(answer));
    });
    return judgeEach(looked, {
      nothing: "The server keeps no sessions.",
      wrong: ({ answer }) =>
        answerStatus(answer) === 404
          ? undefined
          : `A request with an unknown session gets ${answerStatus(answer)} instead of 404: ${quoteText(modelText(answer))}.`,
    });
  },
};

const isList = (method: string): method is keyof typeof LIST_CAPABILITIES => Object.hasOwn(LIST_CAPABILITIES, method);

const capabilitiesHonest: ProbeCheck = {
  id: "capabilities-honest",
  category: "protocol",
  severity: "medium",
  source: "yours",
  title: "The server declares exactly the capabilities that it supports.",
  failsWhen: "The list of a declared capability is answered with -32601, or the list of an undeclared one has entries.",
  notCounted:
    "Other errors, for example if the service behind the list is down. `resources/templates/list` without templates. Empty lists of undeclared capabilities.",
  why: "Hosts rely on the capabilities: they request what is declared and nothing else.",
  fix: {
    text: "Declare a capability if and only if you support it. `McpServer` of the official SDK declares what you register.",
  },
  run: (view) =>
    judgeEach(
      select(view, "list").filter(({ answer }) => answer.kind === "message"),
      { nothing: "No list was answered.", wrong: (exchange) => dishonest(exchange, view) },
    ),
};

function dishonest({ variant = "", sent, answer }: RecordedExchange, { era }: EraView): string | undefined {
  const method = stringAt(sent.message, "method") ?? variant;
  if (!isList(method)) return undefined;
  const { capability, member } = LIST_CAPABILITIES[method];
  const isDeclared = era.capabilities[capability] !== undefined;
  const code = answerCode(answer);
  if (isDeclared && answerError(answer) !== undefined) {
    // Other errors are about the moment: the service behind the list may be away.
    if (method === "resources/templates/list" || code !== METHOD_NOT_FOUND_CODE) return undefined;
    return `The capability ${capability} is declared, but ${method} is answered with ${code}.`;
  }
  const entries = arrayAt(answerResult(answer), member).length;
  return isDeclared || entries === 0
    ? undefined
    : `The capability ${capability} is not declared, but ${method} lists ${entries}.`;
}

const notificationSilent: ProbeCheck = {
  id: "notification-silent",
  category: "protocol",
  severity: "medium",
  source: "yours",
  title: "Notifications get no answer.",
  failsWhen:
    "An unknown notification, or the cancellation of a request that does not exist, gets a JSON-RPC answer or 5xx.",
  notCounted: "Notifications that the server sends on its own. 4xx over HTTP, which may carry an error.",
  why: "An answer without a request confuses clients that match answers by id.",
  fix: {
    text: "Answer a message only if it has an id. The official SDK drops notifications that it does not know.",
    code: `if (message.id === undefined) return; // a notification`,
  },
  run(view) {
    const looked = select(view, "notification").filter(({ answer }) => answer.kind !== "inconclusive");
    return judgeEach(looked, { nothing: "No notification was sent.", wrong: answeredNotification });
  },
};

function answeredNotification({ variant, answer }: RecordedExchange): string | undefined {
  const what = variant === "cancelled" ? "The cancellation of an unknown request" : "An unknown notification";
  const status = answerStatus(answer) ?? 200;
  if (status >= 500) return `${what} gets ${status}.`;
  const isAnswered = status < 400 && arrivedMessages(answer).some(hasOutcome);
  return isAnswered ? `${what} gets an answer.` : undefined;
}

/** Ids, versions, sessions and capabilities. */
export const PROTOCOL_CHECKS: readonly ProbeCheck[] = [
  idKept,
  versionNegotiated,
  versionDetail,
  session404,
  capabilitiesHonest,
  notificationSilent,
];
