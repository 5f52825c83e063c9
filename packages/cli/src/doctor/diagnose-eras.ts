import { arrayAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Revision } from "../recording/revisions.ts";
import type { Session } from "../wire/envelope.ts";
import { countOf, named } from "./describe.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { findElsewhere } from "./elsewhere.ts";
import { duration, type Finding, quote } from "./finding.ts";
import type { HttpLink } from "./http-link.ts";
import { type HttpAnswer, type HttpSeen, mediaTypeOf, responseOf } from "./http-seen.ts";
import type { DoctorContext, Journal } from "./journal.ts";
import { type Elsewhere, judgeAnswer, judgeRefusals } from "./judge-answer.ts";
import { judgeRaw } from "./judge-connection.ts";
import { type Greeting, greetingOf, handshake, INITIALIZED, refusalOf, request } from "./requests.ts";

/** A server that answers HTTP, and what is needed to talk to it. */
export interface Conversations {
  readonly target: { readonly url: URL; readonly headers: Readonly<Record<string, string>> };
  readonly link: HttpLink;
  readonly journal: Journal;
  readonly context: DoctorContext;
}

/** Causes that no other way of asking can cure. */
const FINAL: ReadonlySet<string> = new Set(["D24", "D28", "D31", "D32", "D33", "D34", "D41"]);

/** Talks to the server in both eras. `first` is its answer to `initialize`. */
export async function speakBothEras(doctor: Conversations, first: HttpAnswer): Promise<Diagnosis> {
  const { journal, link, context } = doctor;
  const older = greetingOf(responseOf(first), "2025-11-25");
  const refused = older === undefined ? await judgeFirst(doctor, first) : undefined;
  context.signal.throwIfAborted();
  if (refused !== undefined && FINAL.has(refused.id)) return journal.broken("2025-11-25", refused);
  if (older !== undefined) {
    const broken = await useOlder(doctor, older, first);
    context.signal.throwIfAborted();
    if (broken !== undefined) return broken;
  }

  context.onProgress?.("sending server/discover");
  const second = await link.post(handshake("2026-07-28"), { revision: "2026-07-28" });
  context.signal.throwIfAborted();
  const newer = second.kind === "answer" ? greetingOf(responseOf(second), "2026-07-28") : undefined;
  if (newer !== undefined) {
    const broken = await useNewer(doctor, newer, { quiet: older !== undefined });
    context.signal.throwIfAborted();
    if (broken !== undefined) return broken;
    if (older === undefined)
      journal.note({ id: "D36", saw: `"initialize" is refused: ${quote(refusalOf(responseOf(first)))}` });
    return journal.ready();
  }
  if (older === undefined) return journal.broken("2025-11-25", refused ?? bothRefused(doctor, first, second));
  const broken = judgeSecond(doctor, second);
  if (broken !== undefined) return journal.broken(broken.id === "D39" ? "errors" : "2026-07-28", broken);
  journal.skip(
    "2026-07-28",
    `not spoken (${second.kind === "answer" ? quote(refusalOf(responseOf(second))) : second.kind})`,
  );
  journal.note({ id: "D35", saw: "It speaks the older era only, up to 2025-11-25." });
  return journal.ready();
}

/** Why `initialize` was not answered with a JSON-RPC response. Looks at other paths where that may help. */
async function judgeFirst(doctor: Conversations, answer: HttpAnswer): Promise<Finding | undefined> {
  const { target, context, link } = doctor;
  const credentials = Object.keys(target.headers).some((name) =>
    /^(?:authorization|cookie|.*(?:key|token).*)$/i.test(name),
  );
  const seen = { url: target.url, answer, credentials };
  const lost =
    responseOf(answer) === undefined &&
    ([400, 404, 405, 410, 501].includes(answer.status) || mediaTypeOf(answer) === "text/html");
  if (!lost) return judgeAnswer(seen);
  context.onProgress?.("looking at other paths");
  const elsewhere: Elsewhere = await findElsewhere(target.url, {
    discover: (url) => link.post(handshake("2026-07-28"), { revision: "2026-07-28", url, ms: context.waits.lookMs }),
    stream: (url) =>
      link.get({
        url,
        ms: context.waits.lookMs,
        enough: ({ body }) => body.includes("\n\n") || body.includes("\r\n\r\n"),
      }),
  });
  return judgeAnswer({ ...seen, elsewhere });
}

function bothRefused({ target }: Conversations, first: HttpAnswer, second: HttpSeen): Finding {
  if (second.kind !== "answer") return judgeRaw(target.url, second) ?? { id: "D44", saw: "The connection was closed." };
  return judgeRefusals(first, second);
}

/** What the refusal of the newer era says about a server that speaks the older one. Undefined if it is an ordinary one. */
function judgeSecond({ target }: Conversations, seen: HttpSeen): Finding | undefined {
  if (seen.kind !== "answer") return undefined;
  const error = objectAt(responseOf(seen), "error");
  if (error?.["code"] === -32020)
    return { id: "D37", saw: `The server misses headers that were sent: ${quote(stringAt(error, "message") ?? "")}` };
  const finding = judgeAnswer({ url: target.url, answer: seen, credentials: true });
  return finding?.id === "D39" ? finding : undefined;
}

/** Lists the tools, opens the stream and ends the session. */
async function useOlder(doctor: Conversations, greeting: Greeting, first: HttpAnswer): Promise<Diagnosis | undefined> {
  const { journal, link, context } = doctor;
  journal.speaks("2025-11-25", greeting.server);
  journal.pass("2025-11-25", named(greeting));
  const session: Session = { id: first.headers["mcp-session-id"], version: greeting.version };
  try {
    await link.post(INITIALIZED, { revision: "2025-11-25", session, enough: () => true });
    const unlisted = await list(doctor, greeting, { revision: "2025-11-25", session });
    if (unlisted !== undefined) return journal.broken("list", unlisted);
    context.onProgress?.("opening the stream of the server");
    const stream = await link.get({ session, ms: context.waits.streamMs, enough: () => true });
    const held = heldBack(stream, first);
    if (held !== undefined) return journal.broken("stream", held);
    journal.pass("stream", describeStream(stream));
    return undefined;
  } finally {
    // What was opened here is closed here.
    if (session.id !== undefined && !context.signal.aborted) await link.end(session);
  }
}

async function useNewer(
  doctor: Conversations,
  greeting: Greeting,
  { quiet }: { readonly quiet: boolean },
): Promise<Diagnosis | undefined> {
  const { journal, link, context } = doctor;
  const revision = "2026-07-28";
  journal.speaks(revision, greeting.server);
  journal.pass(revision, named(greeting));
  const unlisted = await list(doctor, greeting, { revision, quiet });
  if (unlisted !== undefined) return journal.broken("list", unlisted);
  context.onProgress?.("opening a stream");
  const listen = request(revision, "subscriptions/listen", { notifications: { toolsListChanged: true } }, 3);
  const stream = await link.post(listen, {
    revision,
    ms: context.waits.streamMs,
    enough: ({ messages }) => messages.length > 0,
  });
  const held = heldBack(stream, undefined);
  if (held !== undefined) return journal.broken("stream", held);
  if (!quiet) journal.pass("stream", describeStream(stream));
  const unknown = await link.post(request(revision, "recourse/doctor", {}, 4), { revision });
  if (unknown.kind === "answer" && unknown.status >= 400 && unknown.body.trim() === "")
    return journal.broken("errors", {
      id: "D39",
      saw: `A refusal came as ${unknown.status} without a body, so it does not say why.`,
    });
  journal.pass("errors", "refusals come with their reason");
  return undefined;
}

async function list(
  { journal, link, context, target }: Conversations,
  greeting: Greeting,
  {
    revision,
    session,
    quiet = false,
  }: { readonly revision: Revision; readonly session?: Session; readonly quiet?: boolean },
): Promise<Finding | undefined> {
  if (objectAt(greeting.capabilities, "tools") === undefined) {
    if (!quiet) journal.skip("list", "it offers no tools");
    return undefined;
  }
  context.onProgress?.("listing the tools");
  const seen = await link.post(request(revision, "tools/list", {}, 2), {
    revision,
    ...(session !== undefined && { session }),
  });
  context.signal.throwIfAborted();
  if (seen.kind !== "answer") return unanswered(seen);
  const response = responseOf(seen);
  const result = objectAt(response, "result");
  if (result !== undefined) {
    if (!quiet) journal.pass("list", countOf(arrayAt(result, "tools").length));
    return undefined;
  }
  const text = response === undefined ? seen.body : refusalOf(response);
  if (/session|not initialized/i.test(text) && seen.status >= 400)
    return {
      id: "D37",
      saw: `The handshake works, but the next request is refused: ${quote(text)}`,
      because:
        session?.id === undefined
          ? "The server wants a session, and its Mcp-Session-Id header did not arrive here: a proxy removes it."
          : "The Mcp-Session-Id header was sent. A proxy removes it, or another copy of the server got the request.",
    };
  return (
    judgeAnswer({ url: target.url, answer: seen, credentials: true }) ?? {
      id: "D44",
      saw: `"tools/list" is answered with ${quote(text)}.`,
    }
  );
}

function unanswered(seen: Exclude<HttpSeen, HttpAnswer>): Finding {
  return seen.kind === "silent"
    ? { id: "D42", saw: `"tools/list" was not answered within ${duration(seen.ms)}.` }
    : { id: "D42", saw: 'The connection broke while "tools/list" was answered.' };
}

/** A stream that does not begin, on a server whose plain answers come at once. */
function heldBack(seen: HttpSeen, first: HttpAnswer | undefined): Finding | undefined {
  const waited =
    seen.kind === "silent" ||
    (seen.kind === "answer" &&
      seen.end === "open" &&
      seen.status === 200 &&
      seen.messages.length === 0 &&
      first === undefined)
      ? seen.ms
      : undefined;
  if (waited === undefined) return undefined;
  const other = first === undefined ? "" : `, although plain answers take ${duration(first.ms)}`;
  return { id: "D40", saw: `A stream did not begin within ${duration(waited)}${other}.` };
}

function describeStream(seen: HttpSeen): string {
  if (seen.kind !== "answer") return "the server closes it";
  if (seen.status === 200) return `it begins after ${duration(seen.headersMs)}`;
  return seen.status === 405
    ? "the server offers none, which is allowed"
    : `the server answers ${seen.status}, which is allowed`;
}
