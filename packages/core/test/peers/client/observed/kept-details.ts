// Which details of a failure are kept: in the error that an official client throws, and in the record of the observer.

import { createSdkClient, type Era } from "@recourse/test-kit/sdk-pairs";
import { observeTransport } from "../../../../src/client/transport/observed-fetch.ts";
import type { ExchangeRecord, TransportObserver } from "../../../../src/client/transport/types.ts";
import { type CallHandler, callWithRef, connectObserved, serveCalls } from "./call-server.ts";
import { stdioServer } from "./stdio-server.ts";

/** Whether a detail is kept, by the error of the client and by the observer. */
interface Kept {
  readonly sdk: "kept" | "lost";
  readonly observer: "kept" | "lost";
}

/** Provokes one failure with one client and looks for its detail. */
export type DetailCheck = (era: Era) => Promise<Kept>;

const CALL_REF = { id: "call-1", attempt: 1 };
/** Long enough for every answer that comes at once, on a busy machine. */
const TIMEOUT_MS = 5_000;

const keptIf = (isKept: boolean) => (isKept ? "kept" : "lost");

/** Answers with a status, or with a body that is not a message. */
function answerWith(status: number, headers: Readonly<Record<string, string>>, body = "planted-body"): CallHandler {
  return ({ response }) => void response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);
}

/** Looks for one value in the error, and in the record of the observer. */
function keepsValue(
  onCall: CallHandler,
  value: string | number,
  read: (record: ExchangeRecord) => unknown,
): DetailCheck {
  return keepsDetail(
    onCall,
    (error) => containsValue(error, value),
    (record) => read(record) === value,
  );
}

/** Looks for a detail in the error, and in the record of the observer, after a call that fails at once. */
function keepsDetail(
  onCall: CallHandler,
  isInError: (error: unknown) => boolean,
  isInRecord: (record: ExchangeRecord) => boolean,
): DetailCheck {
  return async (era) => {
    const observer = observeTransport();
    const server = await serveCalls(onCall);
    const client = await connectObserved(era, server.url, observer);
    const error: unknown = await callWithRef(era, client, CALL_REF).catch((thrown: unknown) => thrown);
    const record = observer.take(CALL_REF);
    return { sdk: keptIf(isInError(error)), observer: keptIf(record !== undefined && isInRecord(record)) };
  };
}

/** The server stops between the handshake and the call. */
const keepsRefusedConnection: DetailCheck = async (era) => {
  const observer = observeTransport();
  const server = await serveCalls(() => {});
  const client = await connectObserved(era, server.url, observer);
  await server.close();
  const error: unknown = await callWithRef(era, client, CALL_REF).catch((thrown: unknown) => thrown);
  const phase = observer.take(CALL_REF)?.phase;
  return { sdk: keptIf(containsValue(error, "ECONNREFUSED")), observer: keptIf(phase === "connect") };
};

/** No answer can come any more. Kept if that differs from a slow server, and is known before the client times out. */
function keepsLostAnswer(onCall: CallHandler, isExpected: (record: ExchangeRecord) => boolean): DetailCheck {
  return async (era) => {
    const [slow, lost] = await Promise.all([waitForEnd(era, () => {}), waitForEnd(era, onCall)]);
    const isReported = lost.first === "observer" && lost.record !== undefined && isExpected(lost.record);
    return {
      sdk: keptIf(printError(slow.error) !== printError(lost.error)),
      observer: keptIf(isReported && slow.first === "sdk"),
    };
  };
}

async function waitForEnd(era: Era, onCall: CallHandler) {
  const observer = observeTransport();
  const server = await serveCalls(onCall);
  const client = await connectObserved(era, server.url, observer);
  const over = new AbortController();
  const call = callWithRef(era, client, CALL_REF, TIMEOUT_MS).catch((thrown: unknown) => thrown);
  let record: ExchangeRecord | undefined;
  const lost = observer.lost(CALL_REF, over.signal).then(
    (reported) => {
      record = reported;
      return "observer" as const;
    },
    () => "sdk" as const,
  );
  const first = await Promise.race([call.then(() => "sdk" as const), lost]);
  const error: unknown = await call;
  over.abort();
  return { first, error, record };
}

/** Opens an event stream, sends a notification and then ends the stream with `end`. */
const streamThen =
  (end: CallHandler): CallHandler =>
  (call) => {
    call.response.writeHead(200, { "content-type": "text/event-stream" });
    call.response.write(
      ': here\n\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}\n\n',
    );
    // The delay makes sure that the written bytes arrive before the end.
    setTimeout(end, 20, call);
  };

/** The server process exits when its tool is called. */
function keepsExit(value: string | number, read: (observer: TransportObserver) => unknown): DetailCheck {
  return async (era) => {
    const observer = observeTransport();
    const client = createSdkClient(era);
    const onCall = 'process.stderr.write("planted-line\\n", () => process.exit(37));';
    await client.connect(observer.child(stdioServer(era, onCall)));
    const error: unknown = await callWithRef(era, client as never, CALL_REF).catch((thrown: unknown) => thrown);
    await client.close();
    return { sdk: keptIf(containsValue(error, value)), observer: keptIf(read(observer) === value) };
  };
}

/** Every detail that is checked. */
export const DETAILS: Readonly<Record<string, DetailCheck>> = {
  "Retry-After": keepsValue(
    answerWith(429, { "retry-after": "7331" }),
    "7331",
    ({ headers }) => headers?.["retry-after"],
  ),
  "WWW-Authenticate": keepsValue(
    answerWith(401, { "www-authenticate": 'Bearer realm="planted-realm"' }),
    'Bearer realm="planted-realm"',
    ({ headers }) => headers?.["www-authenticate"],
  ),
  "status of a refusal": keepsValue(answerWith(503, {}), 503, ({ status }) => status),
  "body of a refusal": keepsValue(answerWith(503, {}), "planted-body", ({ body }) => body),
  "status of a page": keepsValue(answerWith(203, {}), 203, ({ status }) => status),
  "body of a page": keepsValue(answerWith(203, {}), "planted-body", ({ body }) => body),
  "phase: connection refused": keepsRefusedConnection,
  "phase: reset after sending": keepsDetail(
    ({ request }) => void request.socket.resetAndDestroy(),
    (error) => containsValue(error, "ECONNRESET") || containsValue(error, "UND_ERR_SOCKET"),
    ({ phase }) => phase === "sent",
  ),
  "phase: stream ended": keepsLostAnswer(
    streamThen(({ response }) => void response.end()),
    ({ phase, error }) => phase === "ended" && error === undefined,
  ),
  "phase: stream reset": keepsLostAnswer(
    streamThen(({ request }) => void request.socket.resetAndDestroy()),
    ({ phase, error }) => phase === "body" && error !== undefined,
  ),
  "phase: accepted, no answer": keepsLostAnswer(
    ({ response }) => void response.writeHead(202).end(),
    ({ status }) => status === 202,
  ),
  "stderr lines": keepsExit("planted-line", (observer) => observer.connection().stderr.at(-1)),
  "exit code": keepsExit(37, (observer) => observer.connection().exit?.code),
};

/**
 * Whether a value is anywhere in an error: in its properties, also those that are not enumerable, and in its causes.
 *
 * Stacks are skipped, because they repeat the message and their line numbers could equal the value.
 */
export function containsValue(error: unknown, value: string | number, visited: Set<object> = new Set()): boolean {
  if (error === value) return true;
  if (typeof error === "string") return typeof value === "string" && error.includes(value);
  if (typeof error !== "object" || error === null || visited.has(error)) return false;
  visited.add(error);
  if (error instanceof Map || error instanceof Set || error instanceof Headers)
    return [...error].some((item) => containsValue(item, value, visited));
  const keys = Reflect.ownKeys(error).filter((key) => key !== "stack");
  return keys.some((key) => containsValue(Reflect.get(error, key), value, visited));
}

/** Prints an error without its stack. A caller cannot tell errors apart that print the same. */
function printError(error: unknown): string {
  const keys = (value: object) => Object.getOwnPropertyNames(value).filter((key) => key !== "stack");
  return JSON.stringify(error, (_key, value: unknown) =>
    value instanceof Error
      ? Object.fromEntries(["name", ...keys(value)].map((key) => [key, Reflect.get(value, key)]))
      : value,
  );
}
