import type { RecordedAnswer } from "../../recording/recording.ts";
import { PROBE_ENDED, type StimulusRequest } from "../conversation.ts";
import type { HttpConversation } from "../http-conversation.ts";
import type { StdioConversation } from "../stdio-conversation.ts";
import { carriesCredentials } from "../target.ts";
import type { StimulusGroup } from "./group.ts";

const FOREIGN = "recourse-probe.invalid";

/** What differs from an ordinary list of tools, by variant. */
const EDGES: Readonly<Record<string, StimulusRequest>> = {
  put: { http: { method: "PUT" } },
  // Allowed: a stream, which is not read, or 405.
  get: { http: { method: "GET", headers: { accept: "text/event-stream" } }, timeoutMs: 2_000, onlyOpens: true },
  delete: { http: { method: "DELETE", headers: { "mcp-session-id": "recourse-probe-session" } } },
  "text-plain": { http: { headers: { "content-type": "text/plain" } } },
  "foreign-origin": { http: { headers: { origin: `https://${FOREIGN}` } } },
  "foreign-host": { http: { headers: { host: FOREIGN } } },
  "unknown-session": { http: { headers: { "mcp-session-id": "recourse-probe-session" } } },
  "empty-body": { body: "", junk: true },
};

const WITHOUT_MESSAGE: ReadonlySet<string> = new Set(["get", "delete", "empty-body"]);

/** Odd HTTP requests. */
export const httpEdge: StimulusGroup = {
  stimulus: "http-edge",
  async run(talk) {
    const conversation = talk.conversation as HttpConversation;
    for (const [variant, edge] of Object.entries(EDGES)) {
      // A server without sessions has none that could be unknown.
      if (variant === "unknown-session" && conversation.session().id === undefined) continue;
      if (WITHOUT_MESSAGE.has(variant)) await talk.send({ stimulus: "http-edge", variant }, edge);
      else await talk.request({ stimulus: "http-edge", variant }, "tools/list", {}, edge);
    }
  },
};

const UNSIGNED = `${base64url({ alg: "none", typ: "JWT" })}.${base64url({ sub: "recourse-probe", exp: 4_102_444_800 })}.`;

/** Other credentials than the user's, by variant. */
const OTHER_CREDENTIALS: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  wrong: "Bearer recourse-probe-wrong",
  "alg-none": `Bearer ${UNSIGNED}`,
  basic: `Basic ${Buffer.from("recourse-probe:wrong").toString("base64")}`,
  empty: "Bearer ",
};

/** Requests with other credentials, if the server asks for some. */
export const credentials: StimulusGroup = {
  stimulus: "credentials",
  async run(talk) {
    const conversation = talk.conversation as HttpConversation;
    const own = Object.keys(conversation.place.headers).filter(carriesCredentials);
    const without = Object.fromEntries(own.map((name) => [name, undefined]));
    for (const [variant, authorization] of Object.entries(OTHER_CREDENTIALS)) {
      const headers = { ...without, ...(authorization === undefined ? {} : { authorization }) };
      const answer = await talk.request({ stimulus: "credentials", variant }, "tools/list", {}, { http: { headers } });
      if (variant !== "none") continue;
      if (!asksForCredentials(answer)) return talk.leaveOut("credentials", "The server asks for no credentials.");
      await readResourceMetadata(talk, answer);
    }
  },
};

/** Whether an answer says that credentials are missing. */
export function asksForCredentials(answer: RecordedAnswer | undefined): boolean {
  if (answer === undefined || (answer.kind !== "message" && answer.kind !== "body")) return false;
  return answer.http?.status === 401 || answer.http?.status === 403;
}

/** Looks at the document that the challenge names, on the same server only. */
async function readResourceMetadata(
  talk: Parameters<StimulusGroup["run"]>[0],
  answer: RecordedAnswer | undefined,
): Promise<void> {
  if (answer === undefined || (answer.kind !== "message" && answer.kind !== "body")) return;
  const named = /resource_metadata="?([^",\s]+)/.exec(answer.http?.headers["www-authenticate"] ?? "")?.[1];
  const place = (talk.conversation as HttpConversation).place;
  const url = named === undefined ? undefined : URL.parse(named, place.url.href);
  if (url === undefined || url === null) return;
  const sent = { text: "", bytes: 0, http: { method: "GET", headers: {} } };
  if (url.origin !== place.url.origin) {
    const because = "The document is on another server, and a probe talks to yours only.";
    const notRead = { kind: "inconclusive", ms: 0, because } as const;
    return talk.keep({ stimulus: "credentials", variant: "metadata" }, { sent, answer: notRead });
  }
  const own = Object.keys(place.headers).filter(carriesCredentials);
  const headers = { ...Object.fromEntries(own.map((name) => [name, undefined])), accept: "application/json" };
  await talk.send({ stimulus: "credentials", variant: "metadata" }, { http: { url, method: "GET", headers } });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** The end of input. It comes last: a program that follows the protocol ends then. */
export const closeStdin: StimulusGroup = {
  stimulus: "close-stdin",
  async run(talk) {
    const conversation = talk.conversation as StdioConversation;
    if (conversation.exit() !== undefined)
      return talk.leaveOut("close-stdin", "The program had already ended.", "ended");
    const answer = await conversation.closeInput();
    const because = conversation.ended();
    if (because === PROBE_ENDED) return talk.leaveOut("close-stdin", because, "ended");
    talk.keep({ stimulus: "close-stdin" }, { sent: { text: "", bytes: 0 }, answer });
  },
};
