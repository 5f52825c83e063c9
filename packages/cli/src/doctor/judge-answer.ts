import { arrayAt, HANDSHAKE_VERSIONS, type JsonObject, LATEST_REVISION, objectAt, stringAt } from "@recourse/core/wire";
import type { EraRevision } from "../recording/recording.ts";
import { doctorLine } from "../terminal/shell.ts";
import { durationText, listNames } from "../terminal/wording.ts";
import { type CauseFinding, type CauseRule, firstFinding, quoteLine } from "./diagnosis.ts";
import { type DoctorReply, findResponse, replyMediaType } from "./exchange.ts";
import { withoutLogin } from "./judge-connection.ts";

/** The answer to the first request of a conversation, and what else was looked at. */
interface HandshakeAnswer {
  readonly url: URL;
  readonly answer: DoctorReply;
  /** Whether a credential was sent. */
  readonly credentials: boolean;
  /** Addresses of the same server that speak MCP, found by harmless requests. */
  readonly elsewhere?: Elsewhere;
}

/** Where else on the server MCP was found. */
export interface Elsewhere {
  /** Addresses that answer a POST as MCP servers do. */
  readonly streamable: readonly string[];
  /** Addresses whose stream begins with the event `endpoint`. */
  readonly sse: readonly string[];
}

/** Why an answer to a handshake cannot be used. Undefined if it is a JSON-RPC response, or if only a closer look can say. */
export function judgeAnswer(seen: HandshakeAnswer): CauseFinding | undefined {
  return firstFinding(ANSWER_RULES, seen);
}

const ANSWER_RULES: readonly CauseRule<HandshakeAnswer>[] = [
  ({ url, answer }) => {
    if (![301, 302, 303, 307, 308].includes(answer.status)) return undefined;
    const location = answer.headers["location"];
    const moved = location === undefined ? null : URL.parse(location, url.href);
    const signIn =
      moved !== null && /\b(?:login|signin|sign-in|auth|oauth|sso)\b/i.test(`${moved.hostname} ${moved.pathname}`);
    return {
      id: "D28",
      saw:
        moved === null
          ? `The answer is ${answer.status} without a new address.`
          : `The answer is ${answer.status} to ${quoteLine(withoutLogin(moved))}.`,
      ...(signIn && {
        because: "The new address looks like a sign-in page, so something in front of the server wants you to sign in.",
        fix: "Sign in as the service describes, or give its token with --header.",
      }),
      ...(moved !== null &&
        !signIn && {
          fix: `Use ${withoutLogin(moved)} in your client.`,
          next: doctorLine(withoutLogin(moved)),
          corrected: { url: withoutLogin(moved) },
        }),
    };
  },
  ({ answer }) =>
    answer.status === 407
      ? {
          id: "D57",
          saw: `A proxy answers instead of the server, and asks for credentials (407): ${quoteLine(answer.headers["proxy-authenticate"] ?? answerExcerpt(answer), 80)}.`,
          because: "Requests to this address go through a proxy that requires a user name and a password.",
          fix: "Set the credentials of the proxy in the environment of the host, or name the server in NO_PROXY.",
        }
      : undefined,
  ({ url, answer, credentials }) => {
    if (answer.status !== 401) return undefined;
    const challenge = answer.headers["www-authenticate"];
    const [, metadata] = /resource_metadata="?([^",\s]+)/.exec(challenge ?? "") ?? [];
    const discovery =
      metadata !== undefined
        ? `Clients that support OAuth can sign in by themselves: the server names ${quoteLine(metadata)}.`
        : challenge === undefined
          ? "It sends no WWW-Authenticate header, so clients cannot find out how to sign in."
          : `It asks for ${quoteLine(challenge, 80)} and does not say where to sign in.`;
    return {
      id: "D32",
      saw: credentials ? "The server does not accept the credentials (401)." : "The server asks for credentials (401).",
      because: credentials ? "The token is wrong or expired, or it is meant for another server." : "No token was sent.",
      fix: `Give ${credentials ? "another" : "a"} token with --header. ${discovery}`,
      code: doctorLine("--header", "Authorization: Bearer …", withoutLogin(url)),
    };
  },
  ({ url, answer }) => {
    if (answer.status !== 403 && answer.status !== 421) return undefined;
    const text = `${answer.body} ${answer.headers["www-authenticate"] ?? ""}`;
    const isHost = answer.status === 421 || /\b(?:host|origin|localhost|dns rebinding)\b/i.test(text);
    if (!isHost) return undefined;
    const [, wanted] = /(?:only allowed at|allowed hosts?:?|use) (?:https?:\/\/)?([\w.-]+(?::\d+)?)/i.exec(text) ?? [];
    const next = wanted === undefined ? null : URL.parse(`${url.protocol}//${wanted}${url.pathname}`);
    if (next !== null && next.port === "") next.port = url.port;
    return {
      id: "D33",
      saw: `The server refuses the host "${url.host}" (${answer.status}): ${quoteLine(answerExcerpt(answer))}`,
      ...(next !== null &&
        next.host !== url.host && { next: doctorLine(withoutLogin(next)), corrected: { url: withoutLogin(next) } }),
    };
  },
  ({ url, answer, credentials }) =>
    answer.status === 403
      ? {
          id: "D34",
          saw: `The server refuses with 403: ${quoteLine(answerExcerpt(answer))}`,
          ...(!credentials && { because: "No token was sent. Servers should answer 401 then; some answer 403." }),
          code: doctorLine("--header", "Authorization: Bearer …", withoutLogin(url)),
        }
      : undefined,
  ({ answer }) => {
    if (![429, 502, 503, 504].includes(answer.status)) return undefined;
    const wait = answer.headers["retry-after"];
    const writer = answer.headers["server"] ?? answer.headers["via"];
    const limit = answer.status === 429;
    return {
      id: "D41",
      saw: `The answer is ${answer.status}${limit ? ", a limit was reached" : ""}${writer === undefined ? "" : `, written by ${quoteLine(writer, 40)}`}.`,
      because: limit
        ? "The server or a proxy allows only so many requests."
        : answer.status === 503
          ? "The server is overloaded or in maintenance, or a proxy cannot reach it."
          : "A proxy cannot reach the server behind it.",
      fix:
        wait === undefined
          ? limit
            ? "Wait a minute, then try again."
            : "Check whether the server behind the proxy is running."
          : `Wait ${/^\d+$/.test(wait) ? `${wait} seconds` : `until ${quoteLine(wait, 40)}`}, then try again.`,
    };
  },
  ({ answer }) =>
    answer.status === 406 || answer.status === 415
      ? {
          id: "D38",
          saw: `The answer is ${answer.status} to a request with ${answer.status === 406 ? "Accept: application/json, text/event-stream" : "Content-Type: application/json"}.`,
        }
      : undefined,
  ({ url, answer, elsewhere }) => {
    if (findResponse(answer) !== undefined || ![400, 404, 405, 410, 501].includes(answer.status)) return undefined;
    const [sse] = elsewhere?.sse ?? [];
    if (sse === undefined || (elsewhere?.streamable.length ?? 0) > 0) return undefined;
    return {
      id: "D30",
      saw: `POST is answered with ${answer.status}, but ${sse === withoutLogin(url) ? "GET" : sse} opens a stream of the old SSE transport.`,
      fix: `Choose the transport "sse" in your client with ${sse}, or upgrade the server to streamable HTTP.`,
      corrected: { url: sse },
    };
  },
  ({ url, answer, elsewhere }) => {
    if (findResponse(answer) !== undefined || ![404, 405, 410].includes(answer.status)) return undefined;
    return {
      id: "D29",
      saw: `No MCP server is at ${quoteLine(url.pathname)}: the answer is ${answer.status}${pageExcerpt(answer)}.`,
      ...rightPath(elsewhere),
    };
  },
  ({ url, answer, elsewhere }) =>
    answer.status === 200 && replyMediaType(answer) === "text/html"
      ? {
          id: "D31",
          saw: `A web page answers at ${quoteLine(url.pathname)}${pageTitle(answer)}.`,
          ...rightPath(elsewhere),
        }
      : undefined,
  ({ answer }) => {
    if (answer.status < 400 || answer.body.trim() !== "") return undefined;
    if (answer.status >= 500) return undefined;
    return { id: "D39", saw: `The answer is ${answer.status} without a body, so it does not say why.` };
  },
  ({ answer }) => {
    if (answer.status === 202 || answer.status === 204)
      return {
        id: "D42",
        saw: `The request was answered with ${answer.status} and nothing else, as if it were a notification.`,
        because: "The handler of this path treats requests as notifications, or answers on another stream.",
      };
    if (answer.status !== 200 || findResponse(answer) !== undefined) return undefined;
    if (answer.end === "cut")
      return {
        id: "D42",
        saw: "The connection broke in the middle of the answer.",
        because: "The server failed while it answered, or a proxy ended the connection.",
      };
    const stream = replyMediaType(answer) === "text/event-stream";
    if (answer.end === "open" || stream)
      return {
        id: "D42",
        saw:
          answer.end === "open"
            ? `The answer began and did not end within ${durationText(answer.ms)}.`
            : "The stream ended without an answer.",
      };
    return undefined;
  },
  ({ answer }) => {
    if (/plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/i.test(answer.body))
      return { id: "D24", saw: "The port speaks TLS, and the URL begins with http.", fix: "Begin the URL with https." };
    if (/trying to access MongoDB over HTTP/i.test(answer.body))
      return { id: "D24", saw: "The port is MongoDB, not an MCP server.", fix: "Use the port of the MCP server." };
    return undefined;
  },
  ({ answer }) =>
    findResponse(answer) === undefined
      ? {
          id: "D44",
          saw: `The answer is ${answer.status}${replyMediaType(answer) === "" ? "" : ` ${replyMediaType(answer)}`}: ${quoteLine(answerExcerpt(answer))}`,
        }
      : undefined,
];

/** Both handshakes were answered with JSON-RPC errors: what they say together. */
export function judgeRefusals(older: DoctorReply, newer: DoctorReply): CauseFinding {
  const [first, second] = [older, newer].map((answer) => objectAt(findResponse(answer), "error"));
  if (second?.["code"] === -32020)
    return {
      id: "D37",
      saw: `The server misses headers that were sent: ${quoteLine(stringAt(second, "message") ?? "")}`,
    };
  return {
    id: "D44",
    saw: `Both handshakes are refused: ${quoteLine(`${String(first?.["code"])} ${stringAt(first, "message") ?? ""}`)}, and ${quoteLine(`${String(second?.["code"])} ${stringAt(second, "message") ?? ""}`)}.`,
  };
}

function rightPath(elsewhere: Elsewhere | undefined): Pick<CauseFinding, "fix" | "next" | "corrected"> {
  const [found] = elsewhere?.streamable ?? [];
  const [sse] = elsewhere?.sse ?? [];
  if (found !== undefined)
    return {
      fix: `An MCP server answers at ${found}. Use that address.`,
      next: doctorLine(found),
      corrected: { url: found },
    };
  if (sse !== undefined)
    return { fix: `The old SSE transport answers at ${sse}. Choose the transport "sse" in your client.` };
  return {
    fix: "Use the path that the server prints or documents. /mcp, /, /sse and /api/mcp were tried, and none of them speaks MCP.",
  };
}

/** The text of an answer without markup. */
function answerExcerpt(answer: DoctorReply): string {
  const message = stringAt(objectAt(findResponse(answer), "error"), "message");
  if (message !== undefined) return message;
  const text = answer.body.replaceAll(/<(?:style|script)[\s\S]*?<\/(?:style|script)>|<[^>]*>/gi, " ").trim();
  return text === "" ? "(no text)" : text;
}

function pageExcerpt(answer: DoctorReply): string {
  return answer.body.trim() === "" ? "" : ` ${quoteLine(answerExcerpt(answer), 60)}`;
}

function pageTitle({ body }: DoctorReply): string {
  const [, title] = /<title[^>]*>([^<]{1,200})/i.exec(body) ?? [];
  return title === undefined ? "" : `, titled ${quoteLine(title.trim(), 60)}`;
}

const KNOWN_VERSIONS: ReadonlySet<string> = new Set([...HANDSHAKE_VERSIONS, LATEST_REVISION]);

/** Whether the response to a handshake leaves client and server without a common version. Undefined if it does not. */
export function judgeVersion(response: JsonObject | undefined, offered: EraRevision): CauseFinding | undefined {
  const result = objectAt(response, "result");
  const agreed = stringAt(result, "protocolVersion");
  if (agreed !== undefined && !HANDSHAKE_VERSIONS.includes(agreed))
    return {
      id: "D56",
      saw: `Clients offer ${offered}, and the server agrees on ${quoteLine(agreed, 40)}, which no client knows.`,
      because: `The versions that begin with initialize are ${HANDSHAKE_VERSIONS.join(", ")}. Clients end the connection at any other.`,
      fix: `Let the server answer initialize with ${offered}, or with the newest of these versions that it speaks.`,
    };
  const listed = textsIn(result, "supportedVersions");
  if (listed.length > 0 && !listed.some((one) => KNOWN_VERSIONS.has(one))) return nothingInCommon(listed, offered);
  const error = objectAt(response, "error");
  const message = stringAt(error, "message") ?? "";
  const named = textsIn(objectAt(error, "data"), "supported");
  const inText = /version/i.test(message) ? (message.slice(0, 1_000).match(/\b20\d\d-\d\d-\d\d\b/g) ?? []) : [];
  const supported = [...new Set(named.length > 0 ? named : inText)].filter((one) => one !== offered);
  if (error === undefined || supported.length === 0) return undefined;
  return nothingInCommon(supported, offered);
}

function nothingInCommon(supported: readonly string[], offered: EraRevision): CauseFinding {
  const versions = listNames(supported.map((one) => quoteLine(one, 40)));
  return {
    id: "D56",
    saw: `Clients offer ${offered}, and the server supports only ${versions}.`,
    because: "A server should not refuse: it answers initialize with the newest version that it speaks.",
    fix: `Upgrade the server so that it speaks ${offered}, or use a client that speaks ${versions}.`,
  };
}

function textsIn(object: JsonObject | undefined, name: string): string[] {
  return arrayAt(object, name).filter((one) => typeof one === "string");
}
