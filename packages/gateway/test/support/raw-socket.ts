import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** One HTTP response on a connection. */
interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A connection on which a test writes bytes as it likes. */
export interface RawConnection {
  readonly socket: Socket;
  /** Whether the other side has ended the connection. */
  readonly isEnded: () => boolean;
  write(text: string | Buffer): void;
  /** Waits for the next response with a `content-length`. It rejects where the connection ends before. */
  next(): Promise<RawResponse>;
}

/** Connects to a gateway. */
export async function rawConnection(url: URL): Promise<RawConnection> {
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => {
    socket.destroy();
  });
  let received = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on("data", (piece) => {
    received = Buffer.concat([received, piece]);
    wake();
  });
  const end = () => {
    ended = true;
    wake();
  };
  socket.on("end", end).on("close", end).on("error", end);
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));

  /** The first response in what has come. */
  function take(): RawResponse | undefined {
    const gap = received.indexOf("\r\n\r\n");
    if (gap === -1) return undefined;
    const head = received.toString("latin1", 0, gap);
    const status = Number(head.slice(9, 12));
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (received.length < gap + 4 + length) return undefined;
    const body = received.toString("utf8", gap + 4, gap + 4 + length);
    received = received.subarray(gap + 4 + length);
    return { status, head, body };
  }

  return {
    socket,
    isEnded: () => ended,
    write: (text) => {
      socket.write(text);
    },
    async next() {
      for (;;) {
        const response = take();
        if (response !== undefined) return response;
        if (ended) throw new Error("the connection has ended");
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** The text of a POST request to the MCP endpoint. */
export function rawPost(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({
    host: "127.0.0.1",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

export const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
