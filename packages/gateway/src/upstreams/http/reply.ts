import type { UpstreamReply } from "../upstream.ts";
import type { Posted } from "./channel.ts";
import type { AnswerHeaders } from "./exchange.ts";

/** What came of a message, for the steps after it. */
export function toReply(posted: Posted): UpstreamReply {
  if (posted.kind === "failed") return { kind: "failed", fault: posted.fault, cause: posted.cause };
  return new Answer(posted.status, posted.headers, posted.body);
}

class Answer {
  readonly kind = "answer";
  readonly status: number;
  readonly body: Buffer;
  readonly #headers: AnswerHeaders;

  constructor(status: number, headers: AnswerHeaders, body: Buffer) {
    this.status = status;
    this.body = body;
    this.#headers = headers;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
}
