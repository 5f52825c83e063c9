// HTTP statuses in a text, and what they mean when an MCP server or something in front of it answers with them.

import type { ConnectionCauseId } from "../data/causes.ts";
import type { CauseWords } from "./rule.ts";

/** How programs write the status of an HTTP answer, the clearest first. */
export const STATUS_PATTERNS: readonly RegExp[] = [
  /\bHTTP\/\d(?:\.\d)?"? ([3-5]\d\d)\b/,
  /\b(?:HTTP|status)(?:[ _-]?(?:error|status|code))?["']?\s{0,2}[:=]?\s{0,2}\(?['"]?([3-5]\d\d)\b/i,
  /\bstatus[ _-]?code\W{1,6}([3-5]\d\d)\b/i,
  /\b([45]\d\d):? (?:Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request Time-?out|Conflict|Gone|Content Too Large|Payload Too Large|Unsupported Media Type|Misdirected Request|Unprocessable|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)/i,
  /\b(?:error|response|returned|code|got|received|failed with|failed|message)\b[:(]{0,2} ?\(?([45]\d\d)\b(?![.\d])/i,
  /\b([45]\d\d) (?:status\b|error(?=$|[.,:;)]| (?:from|when|while|on|for|at)\b))/im,
  /\(([45]\d\d)\)/,
];

/** Reason phrases that stand without their number. */
const STATUS_PHRASES: readonly (readonly [RegExp, number])[] = [
  [/\bInternal Server Error\b/, 500],
  [/\bBad Gateway\b/, 502],
  [/\bService (?:Temporarily )?Unavailable\b/, 503],
  [/\bGateway Time-?out\b/, 504],
  [/\bUnauthorized\b/, 401],
  [/\bForbidden\b/, 403],
];

export interface NamedStatus {
  readonly status: number;
  readonly index: number;
  readonly length: number;
}

/** The HTTP status that a text names. Undefined if it names none. */
export function findStatus(text: string): NamedStatus | undefined {
  for (const pattern of STATUS_PATTERNS) {
    const match = pattern.exec(text);
    if (match !== null) return { status: Number(match[1]), index: match.index, length: match[0].length };
  }
  for (const [phrase, status] of STATUS_PHRASES) {
    const match = phrase.exec(text);
    if (match !== null) return { status, index: match.index, length: match[0].length };
  }
  return undefined;
}

/** A cause and what a status says better than its page. */
export interface StatusCause {
  readonly cause: ConnectionCauseId;
  readonly words?: CauseWords;
}

const MOVED: StatusCause = { cause: "D28" };
/** What a proxy in front of a server says about it. */
export const BEHIND_PROXY = {
  cause: "D41",
  words: {
    title: "The server behind a proxy does not answer",
    because: "A proxy answers instead of the server: the server is down, restarts, or is too slow.",
    fix: "Wait a minute and try again. If it stays, the operator has to look whether the server behind the proxy runs.",
  },
} as const satisfies StatusCause;

/** What a status of the MCP server itself means. 400, 408, 413 and 429 are about the call and have no cause. */
export const STATUS_CAUSES: Readonly<Record<number, StatusCause>> = {
  301: MOVED,
  302: MOVED,
  303: MOVED,
  307: MOVED,
  308: MOVED,
  401: {
    cause: "D32",
    words: { fix: "Sign in to the server in your host, or give a valid token in its `Authorization` header." },
  },
  403: { cause: "D34" },
  404: {
    cause: "D29",
    words: {
      because:
        "A web server answers, but no MCP server is at this path. After a restart of the server, 404 can also mean that the session is gone.",
      fix: "Use the path that the server prints or documents, often `/mcp`; if it worked before, connect again.",
    },
  },
  405: { cause: "D58" },
  406: { cause: "D61" },
  410: { cause: "D29" },
  415: { cause: "D38" },
  421: { cause: "D33" },
  500: {
    cause: "D44",
    words: {
      title: "The server failed inside",
      because: "The server was reached, and its code or a service behind it failed (HTTP 500).",
      fix: "Look at the log of the server at this moment; if the server is not yours, tell its operator.",
    },
  },
  501: { cause: "D44" },
  502: BEHIND_PROXY,
  503: BEHIND_PROXY,
  504: BEHIND_PROXY,
  520: BEHIND_PROXY,
  521: BEHIND_PROXY,
  522: BEHIND_PROXY,
  523: BEHIND_PROXY,
  524: BEHIND_PROXY,
  525: { cause: "D26" },
  526: { cause: "D26" },
  529: { cause: "D76" },
  530: BEHIND_PROXY,
};
