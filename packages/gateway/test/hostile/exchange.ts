import { connect } from "node:net";

/** One answer, as it came over the connection. */
interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** What came of one connection. */
export interface Exchanged {
  readonly answers: readonly Answer[];
  /** Everything that came, as text. */
  readonly text: string;
  /** Whether the gateway closed the connection. */
  readonly closed: boolean;
}

export interface ExchangeOptions {
  readonly port: number;
  /** Written one after the other, each when the one before has left. */
  readonly send: readonly (string | Buffer)[];
  /** What happens after the last part: nothing, an end of what is sent, or a reset. */
  readonly ending: "wait" | "end" | "reset";
  /** How many answers end the wait. */
  readonly answers: number;
  readonly boundMs: number;
}

/** Sends bytes and collects answers until there are enough, the gateway closes the connection, or the time is over. */
export function exchange({ port, send, ending, answers, boundMs }: ExchangeOptions): Promise<Exchanged> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: Buffer[] = [];
    let closed = false;
    const finish = () => {
      clearTimeout(timer);
      clearTimeout(quiet);
      socket.destroy();
      const bytes = Buffer.concat(chunks);
      resolve({ answers: readAnswers(bytes), text: bytes.toString("latin1"), closed });
    };
    // The time in which an answer has to come.
    const timer = setTimeout(finish, boundMs);
    let quiet: NodeJS.Timeout | undefined;
    socket.on("data", (chunk) => {
      chunks.push(Buffer.from(chunk));
      clearTimeout(quiet);
      if (readAnswers(Buffer.concat(chunks)).length < answers) return;
      // A moment for what must not come: one more answer. A longer wait would only see more of them.
      quiet = setTimeout(finish, QUIET_MS);
    });
    const onClose = () => {
      closed = true;
      finish();
    };
    socket.on("end", onClose).on("close", onClose);
    socket.on("error", () => undefined);
    socket.on("connect", () => {
      for (const part of send) socket.write(part);
      if (ending === "end") socket.end();
      if (ending === "reset") socket.write("", () => socket.resetAndDestroy());
    });
  });
}

const QUIET_MS = 15;

/** The whole answers in what came so far; an informational one is not an answer. */
function readAnswers(bytes: Buffer): Answer[] {
  const found: Answer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf("\r\n\r\n", from);
    if (at < 0) break;
    const headers = bytes.toString("latin1", from, at).toLowerCase();
    const status = Number(headers.slice(9, 12));
    const end = endOfBody(bytes, { headers, status, from: at + 4 });
    if (end === undefined) break;
    if (status >= 200) found.push({ status, headers, body: bytes.toString("utf8", at + 4, end) });
    from = end;
  }
  return found;
}

interface Head {
  readonly headers: string;
  readonly status: number;
  /** Where the body begins. */
  readonly from: number;
}

function endOfBody(bytes: Buffer, { headers, status, from }: Head): number | undefined {
  if (status < 200 || status === 204 || status === 304) return from;
  const length = /\r\ncontent-length: ?(\d+)/.exec(headers)?.[1];
  if (length !== undefined) return bytes.length >= from + Number(length) ? from + Number(length) : undefined;
  if (!headers.includes("\r\ntransfer-encoding: chunked")) return bytes.length;
  const end = bytes.indexOf("0\r\n\r\n", from);
  return end < 0 ? undefined : end + 5;
}
