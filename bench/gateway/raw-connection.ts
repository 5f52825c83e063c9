import { connect, type Socket } from "node:net";

/** The status and the bytes of an answer, head and body. */
export interface RawAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

/** What a request consists of. */
interface PostRequestParts {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The bytes of a request. */
export function postRequest({ port, path, headers, body }: PostRequestParts): Buffer {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, "content-length": Buffer.byteLength(body) });
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}

const END_OF_HEAD = Buffer.from("\r\n\r\n");
const END_OF_CHUNKS = Buffer.from("0\r\n\r\n");

/** A kept connection with one request at a time, as cheap as it gets: the load shares the cores with what is measured. */
export class RawConnection {
  readonly #socket: Socket;
  #kept: Buffer | undefined;
  #answered: ((answer: RawAnswer) => void) | undefined;
  #broken: Error | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1").setNoDelay(true);
    this.#socket.on("data", (chunk) => this.#take(chunk as unknown as Buffer));
    this.#socket.on("error", (error) => this.#break(error));
    this.#socket.on("close", () => this.#break(new Error("the connection was closed")));
  }

  /** Whether it was closed, or failed. */
  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  /** Sends a request; `answered` is called with its answer, `failed` when the connection breaks before. */
  send(request: Buffer, answered: (answer: RawAnswer) => void, failed: (error: Error) => void): void {
    if (this.#broken !== undefined) {
      failed(this.#broken);
      return;
    }
    this.#answered = answered;
    this.#fail = failed;
    this.#socket.write(request);
  }

  close(): void {
    this.#answered = undefined;
    this.#fail = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const bytes = this.#kept === undefined ? chunk : Buffer.concat([this.#kept, chunk]);
    if (!isWhole(bytes)) {
      this.#kept = bytes;
      return;
    }
    this.#kept = undefined;
    const answered = this.#answered;
    this.#answered = undefined;
    this.#fail = undefined;
    answered?.({ status: Number(bytes.toString("latin1", 9, 12)), bytes });
  }

  #break(error: Error): void {
    this.#broken = error;
    const fail = this.#fail;
    this.#fail = undefined;
    this.#answered = undefined;
    fail?.(error);
  }
}

function isWhole(bytes: Buffer): boolean {
  const at = bytes.indexOf(END_OF_HEAD);
  if (at < 0) return false;
  const head = bytes.toString("latin1", 0, at);
  const length = /\r\ncontent-length: ?(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= at + 4 + Number(length);
  if (/\r\ntransfer-encoding: ?chunked/i.test(head)) return bytes.subarray(-5).equals(END_OF_CHUNKS);
  return true;
}
