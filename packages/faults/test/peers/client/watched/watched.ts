// What a failure leaves behind: in the error that an official client throws, and in what was watched beside it.
import { watch } from "../../../../src/client/watch/watch.ts";
import type { Seen, Watched } from "../../../../src/client/watch/watched.ts";
import type { Era } from "../../peers.ts";
import { childOf } from "./child.ts";
import { holds, printed } from "./search.ts";
import { callMarked, clientOf, connectWatched, type Play, serveOdd } from "./server.ts";

/** Whether something was kept, by the error of the client and by what was watched. */
interface Cell {
  readonly sdk: "kept" | "lost";
  readonly watched: "kept" | "lost";
}

/** One thing that can be lost, tried with one client. */
export type Row = (era: Era) => Promise<Cell>;

const MARK = { id: "call-1", attempt: 1 };
/** Long enough for everything that is told at once, on a busy machine. */
const PATIENCE_MS = 1_500;

const says = (isKept: boolean) => (isKept ? "kept" : "lost");

/** A server that refuses, or answers with something that is no message. */
function refusal(status: number, headers: Readonly<Record<string, string>>, body = "planted-body"): Play {
  return ({ response }) => void response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);
}

/** Looks for one planted value in the error, and in what was watched. */
function planted(play: Play, value: string | number, read: (seen: Seen) => unknown): Row {
  return broken(
    play,
    (error) => holds(error, value),
    (seen) => read(seen) === value,
  );
}

/** Looks at the error and at what was watched after a call that is broken at once. */
function broken(play: Play, isInError: (error: unknown) => boolean, isSeen: (seen: Seen) => boolean): Row {
  return async (era) => {
    const watched = watch();
    const server = await serveOdd(play);
    const client = await connectWatched(era, server.url, watched);
    const error: unknown = await callMarked(era, client, MARK).catch((thrown: unknown) => thrown);
    const seen = watched.take(MARK);
    await client.close();
    await server.close();
    return { sdk: says(isInError(error)), watched: says(seen !== undefined && isSeen(seen)) };
  };
}

/** The server goes away between the handshake and the call. */
const refused: Row = async (era) => {
  const watched = watch();
  const server = await serveOdd(() => {});
  const client = await connectWatched(era, server.url, watched);
  await server.close();
  const error: unknown = await callMarked(era, client, MARK).catch((thrown: unknown) => thrown);
  const phase = watched.take(MARK)?.phase;
  await client.close();
  return { sdk: says(holds(error, "ECONNREFUSED")), watched: says(phase === "connect") };
};

/** Nothing more can come: told apart from a server that is merely slow, and before the client's own patience ends. */
function hopeless(play: Play, isIt: (seen: Seen) => boolean): Row {
  return async (era) => {
    const [slow, hanging] = await Promise.all([outcome(era, () => {}), outcome(era, play)]);
    const isTold = hanging.first === "watched" && hanging.seen !== undefined && isIt(hanging.seen);
    return {
      sdk: says(printed(slow.error) !== printed(hanging.error)),
      watched: says(isTold && slow.first === "sdk"),
    };
  };
}

async function outcome(era: Era, play: Play) {
  const watched = watch();
  const server = await serveOdd(play);
  const client = await connectWatched(era, server.url, watched);
  const over = new AbortController();
  const call = callMarked(era, client, MARK, PATIENCE_MS).catch((thrown: unknown) => thrown);
  let seen: Seen | undefined;
  const lost = watched.lost(MARK, over.signal).then(
    (told) => {
      seen = told;
      return "watched" as const;
    },
    () => "sdk" as const,
  );
  const first = await Promise.race([call.then(() => "sdk" as const), lost]);
  const error: unknown = await call;
  over.abort();
  await client.close();
  await server.close();
  return { first, error, seen };
}

const streaming =
  (end: Play): Play =>
  (turn) => {
    turn.response.writeHead(200, { "content-type": "text/event-stream" });
    turn.response.write(
      ': here\n\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}\n\n',
    );
    // What was written leaves before the end comes.
    setTimeout(end, 20, turn);
  };

/** A server process that ends when it is called. */
function ending(value: string | number, read: (watched: Watched) => unknown): Row {
  return async (era) => {
    const watched = watch();
    const client = clientOf(era);
    const lastWords = 'process.stderr.write("planted-line\\n", () => process.exit(37));';
    await client.connect(watched.child(childOf(era, lastWords)));
    const error: unknown = await callMarked(era, client as never, MARK).catch((thrown: unknown) => thrown);
    await client.close();
    return { sdk: says(holds(error, value)), watched: says(read(watched) === value) };
  };
}

/** Everything that is tried. */
export const ROWS: Readonly<Record<string, Row>> = {
  "Retry-After": planted(refusal(429, { "retry-after": "7331" }), "7331", ({ headers }) => headers?.["retry-after"]),
  "WWW-Authenticate": planted(
    refusal(401, { "www-authenticate": 'Bearer realm="planted-realm"' }),
    'Bearer realm="planted-realm"',
    ({ headers }) => headers?.["www-authenticate"],
  ),
  "status of a refusal": planted(refusal(503, {}), 503, ({ status }) => status),
  "body of a refusal": planted(refusal(503, {}), "planted-body", ({ body }) => body),
  "status of a page": planted(refusal(203, {}), 203, ({ status }) => status),
  "body of a page": planted(refusal(203, {}), "planted-body", ({ body }) => body),
  "phase: connection refused": refused,
  "phase: reset after sending": broken(
    ({ request }) => void request.socket.resetAndDestroy(),
    (error) => holds(error, "ECONNRESET") || holds(error, "UND_ERR_SOCKET"),
    ({ phase }) => phase === "sent",
  ),
  "phase: stream ended": hopeless(
    streaming(({ response }) => void response.end()),
    ({ phase, error }) => phase === "ended" && error === undefined,
  ),
  "phase: stream reset": hopeless(
    streaming(({ request }) => void request.socket.resetAndDestroy()),
    ({ phase, error }) => phase === "body" && error !== undefined,
  ),
  "phase: accepted, no answer": hopeless(
    ({ response }) => void response.writeHead(202).end(),
    ({ status }) => status === 202,
  ),
  "stderr lines": ending("planted-line", (watched) => watched.connection().stderr.at(-1)),
  "exit code": ending(37, (watched) => watched.connection().exit?.code),
};
