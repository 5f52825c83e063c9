import { arrayAt, LATEST_HANDSHAKE_REVISION, LATEST_REVISION, objectAt, stringAt } from "@recourse/core/wire";
import type { EraRevision } from "../recording/recording.ts";
import { durationText, plural } from "../terminal/wording.ts";
import type { Session } from "../wire/messages.ts";
import { type CauseFinding, type Diagnosis, type DoctorContext, type Journal, quoteLine } from "./diagnosis.ts";
import { type DoctorReply, findResponse, type HttpLink, type HttpResult, replyMediaType } from "./exchange.ts";
import { type Elsewhere, judgeAnswer, judgeRefusals, judgeVersion } from "./judge-answer.ts";
import { judgeRaw, withoutLogin } from "./judge-connection.ts";
import {
  describeRefusal,
  eraRequest,
  type Greeting,
  greetingText,
  handshakeRequest,
  INITIALIZED,
  readGreeting,
} from "./requests.ts";
import { followSignIn, judgeSignIn } from "./sign-in.ts";

/** A server that answers HTTP, and what is needed to talk to it. */
export interface HttpDoctor {
  readonly target: { readonly url: URL; readonly headers: Readonly<Record<string, string>> };
  readonly link: HttpLink;
  readonly journal: Journal;
  readonly context: DoctorContext;
}

/** Causes that no other way of asking can cure. */
const FINAL_CAUSES: ReadonlySet<string> = new Set(["D24", "D28", "D31", "D32", "D33", "D34", "D41", "D57", "D59"]);

/** Talks to the server in both eras. `first` is its answer to `initialize`. */
export async function speakBothEras(doctor: HttpDoctor, first: DoctorReply): Promise<Diagnosis> {
  const { journal, link, context } = doctor;
  const older = readGreeting(findResponse(first), LATEST_HANDSHAKE_REVISION);
  const refused = older === undefined ? await judgeFirst(doctor, first) : undefined;
  context.signal.throwIfAborted();
  if (refused !== undefined && FINAL_CAUSES.has(refused.id)) return journal.broken(LATEST_HANDSHAKE_REVISION, refused);
  const unknown = older === undefined ? undefined : judgeVersion(findResponse(first), LATEST_HANDSHAKE_REVISION);
  if (unknown !== undefined) return journal.broken(LATEST_HANDSHAKE_REVISION, unknown);
  if (older !== undefined) {
    const broken = await useOlder(doctor, older, first);
    context.signal.throwIfAborted();
    if (broken !== undefined) return broken;
  }

  context.onProgress?.("sending server/discover");
  const second = await link.post(handshakeRequest(LATEST_REVISION), { revision: LATEST_REVISION });
  context.signal.throwIfAborted();
  const newer = second.kind === "answer" ? readGreeting(findResponse(second), LATEST_REVISION) : undefined;
  const unshared =
    newer === undefined || second.kind !== "answer" ? undefined : judgeVersion(findResponse(second), LATEST_REVISION);
  if (unshared !== undefined && older === undefined) return journal.broken(LATEST_REVISION, unshared);
  if (newer !== undefined) {
    const broken = await useNewer(doctor, newer, { quiet: older !== undefined });
    context.signal.throwIfAborted();
    if (broken !== undefined) return broken;
    if (older === undefined)
      journal.note({ id: "D36", saw: `"initialize" is refused: ${quoteLine(describeRefusal(findResponse(first)))}` });
    return journal.ready();
  }
  if (older === undefined)
    return journal.broken(LATEST_HANDSHAKE_REVISION, refused ?? bothRefused(doctor, first, second));
  const broken = judgeSecond(doctor, second);
  if (broken !== undefined) return journal.broken(broken.id === "D39" ? "errors" : LATEST_REVISION, broken);
  journal.skip(
    LATEST_REVISION,
    `not spoken (${second.kind === "answer" ? quoteLine(describeRefusal(findResponse(second))) : second.kind})`,
  );
  journal.note({ id: "D35", saw: "It speaks the older era only, up to 2025-11-25." });
  return journal.ready();
}

/** Why `initialize` was not answered with a JSON-RPC response. Looks at other paths if that may help. */
async function judgeFirst(doctor: HttpDoctor, answer: DoctorReply): Promise<CauseFinding | undefined> {
  const { target, context, link } = doctor;
  const credentials = Object.keys(target.headers).some((name) =>
    /^(?:authorization|cookie|.*(?:key|token).*)$/i.test(name),
  );
  const seen = { url: target.url, answer, credentials };
  const lost =
    findResponse(answer) === undefined &&
    ([400, 404, 405, 410, 501].includes(answer.status) || replyMediaType(answer) === "text/html");
  if (answer.status === 401 && !credentials) {
    context.onProgress?.("looking at the sign-in of the server");
    const signIn = await followSignIn(target.url, answer.headers["www-authenticate"], context);
    const asked = judgeAnswer(seen);
    return asked === undefined ? undefined : judgeSignIn(target.url, asked, signIn);
  }
  if (!lost) return judgeAnswer(seen);
  context.onProgress?.("looking at other paths");
  const elsewhere: Elsewhere = await findElsewhere(target.url, {
    discover: (url) =>
      link.post(handshakeRequest(LATEST_REVISION), { revision: LATEST_REVISION, url, ms: context.waits.lookMs }),
    stream: (url) =>
      link.get({
        url,
        ms: context.waits.lookMs,
        enough: ({ body }) => body.includes("\n\n") || body.includes("\r\n\r\n"),
      }),
  });
  return judgeAnswer({ ...seen, elsewhere });
}

function bothRefused({ target }: HttpDoctor, first: DoctorReply, second: HttpResult): CauseFinding {
  if (second.kind !== "answer") return judgeRaw(target.url, second) ?? { id: "D44", saw: "The connection was closed." };
  return (
    judgeVersion(findResponse(first), LATEST_HANDSHAKE_REVISION) ??
    judgeVersion(findResponse(second), LATEST_REVISION) ??
    judgeRefusals(first, second)
  );
}

/** What the refusal of the newer era says about a server that speaks the older one. Undefined if it is an ordinary one. */
function judgeSecond({ target }: HttpDoctor, seen: HttpResult): CauseFinding | undefined {
  if (seen.kind !== "answer") return undefined;
  const error = objectAt(findResponse(seen), "error");
  if (error?.["code"] === -32020)
    return {
      id: "D37",
      saw: `The server misses headers that were sent: ${quoteLine(stringAt(error, "message") ?? "")}`,
    };
  const finding = judgeAnswer({ url: target.url, answer: seen, credentials: true });
  return finding?.id === "D39" ? finding : undefined;
}

/** Lists the tools, opens the stream and ends the session. */
async function useOlder(doctor: HttpDoctor, greeting: Greeting, first: DoctorReply): Promise<Diagnosis | undefined> {
  const { journal, link, context } = doctor;
  journal.speaks(LATEST_HANDSHAKE_REVISION, greeting.server);
  journal.pass(LATEST_HANDSHAKE_REVISION, greetingText(greeting));
  const session: Session = { id: first.headers["mcp-session-id"], version: greeting.version };
  try {
    await link.post(INITIALIZED, { revision: LATEST_HANDSHAKE_REVISION, session, enough: () => true });
    const unlisted = await listOverHttp(doctor, greeting, { revision: LATEST_HANDSHAKE_REVISION, session });
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
  doctor: HttpDoctor,
  greeting: Greeting,
  { quiet }: { readonly quiet: boolean },
): Promise<Diagnosis | undefined> {
  const { journal, link, context } = doctor;
  const revision = LATEST_REVISION;
  journal.speaks(revision, greeting.server);
  journal.pass(revision, greetingText(greeting));
  const unlisted = await listOverHttp(doctor, greeting, { revision, quiet });
  if (unlisted !== undefined) return journal.broken("list", unlisted);
  context.onProgress?.("opening a stream");
  const listen = eraRequest(revision, "subscriptions/listen", { notifications: { toolsListChanged: true } }, 3);
  const stream = await link.post(listen, {
    revision,
    ms: context.waits.streamMs,
    enough: ({ messages }) => messages.length > 0,
  });
  const held = heldBack(stream, undefined);
  if (held !== undefined) return journal.broken("stream", held);
  if (!quiet) journal.pass("stream", describeStream(stream));
  const unknown = await link.post(eraRequest(revision, "recourse/doctor", {}, 4), { revision });
  if (unknown.kind === "answer" && unknown.status >= 400 && unknown.body.trim() === "")
    return journal.broken("errors", {
      id: "D39",
      saw: `A refusal came as ${unknown.status} without a body, so it does not say why.`,
    });
  journal.pass("errors", "refusals come with their reason");
  return undefined;
}

async function listOverHttp(
  { journal, link, context, target }: HttpDoctor,
  greeting: Greeting,
  {
    revision,
    session,
    quiet = false,
  }: { readonly revision: EraRevision; readonly session?: Session; readonly quiet?: boolean },
): Promise<CauseFinding | undefined> {
  if (objectAt(greeting.capabilities, "tools") === undefined) {
    if (!quiet) journal.skip("list", "it offers no tools");
    return undefined;
  }
  context.onProgress?.("listing the tools");
  const seen = await link.post(eraRequest(revision, "tools/list", {}, 2), {
    revision,
    ...(session !== undefined && { session }),
  });
  context.signal.throwIfAborted();
  if (seen.kind !== "answer") return unanswered(seen);
  const response = findResponse(seen);
  const result = objectAt(response, "result");
  if (result !== undefined) {
    if (!quiet) journal.pass("list", plural(arrayAt(result, "tools").length, "tool"));
    return undefined;
  }
  const text = response === undefined ? seen.body : describeRefusal(response);
  if (/session|not initialized/i.test(text) && seen.status >= 400)
    return {
      id: "D37",
      saw: `The handshake works, but the next request is refused: ${quoteLine(text)}`,
      because:
        session?.id === undefined
          ? "The server wants a session, and its Mcp-Session-Id header did not arrive here: a proxy removes it."
          : "The Mcp-Session-Id header was sent. A proxy removes it, or another copy of the server got the request.",
    };
  return (
    judgeAnswer({ url: target.url, answer: seen, credentials: true }) ?? {
      id: "D44",
      saw: `"tools/list" is answered with ${quoteLine(text)}.`,
    }
  );
}

function unanswered(seen: Exclude<HttpResult, DoctorReply>): CauseFinding {
  return seen.kind === "silent"
    ? { id: "D42", saw: `"tools/list" was not answered within ${durationText(seen.ms)}.` }
    : { id: "D42", saw: 'The connection broke while "tools/list" was answered.' };
}

/** A stream that does not begin, on a server whose plain answers come at once. */
function heldBack(seen: HttpResult, first: DoctorReply | undefined): CauseFinding | undefined {
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
  const other = first === undefined ? "" : `, although plain answers take ${durationText(first.ms)}`;
  return { id: "D40", saw: `A stream did not begin within ${durationText(waited)}${other}.` };
}

function describeStream(seen: HttpResult): string {
  if (seen.kind !== "answer") return "the server closes it";
  if (seen.status === 200) return `it begins after ${durationText(seen.headersMs)}`;
  return seen.status === 405
    ? "the server offers none, which is allowed"
    : `the server answers ${seen.status}, which is allowed`;
}

/** Paths at which MCP servers usually are. */
const PATHS = ["/mcp", "/", "/sse", "/api/mcp"] as const;

/** Harmless requests to another path of the same server. */
interface Asker {
  /** POSTs `server/discover`, which changes nothing. */
  discover(url: URL): Promise<HttpResult>;
  /** Opens a stream with GET and reads its first event. */
  stream(url: URL): Promise<HttpResult>;
}

/** Looks for MCP at the usual paths of a server, all at once. */
async function findElsewhere(url: URL, { discover, stream }: Asker): Promise<Elsewhere> {
  const candidates = [
    ...new Set([...PATHS.map((path) => at(url, path)), at(url, otherEnding(url.pathname)), withoutLogin(url)]),
  ];
  const looked = await Promise.all(
    candidates.map(async (address) => {
      const [posted, streamed] = await Promise.all([discover(new URL(address)), stream(new URL(address))]);
      return { address, streamable: speaksMcp(posted), sse: isOldStream(streamed) };
    }),
  );
  return {
    streamable: looked
      .filter((one) => one.streamable && one.address !== withoutLogin(url))
      .map(({ address }) => address),
    sse: looked.filter((one) => one.sse).map(({ address }) => address),
  };
}

/** An MCP server answers with a JSON-RPC message, also when it refuses. */
function speaksMcp(seen: HttpResult): boolean {
  return seen.kind === "answer" && findResponse(seen) !== undefined;
}

function isOldStream(seen: HttpResult): boolean {
  return seen.kind === "answer" && /^event:\s*endpoint\s*$/m.test(seen.body);
}

function at(url: URL, path: string): string {
  const copy = new URL(withoutLogin(url));
  copy.pathname = path;
  copy.search = "";
  return copy.href;
}

function otherEnding(path: string): string {
  return path.endsWith("/") ? path.replace(/\/+$/, "") || "/" : `${path}/`;
}
