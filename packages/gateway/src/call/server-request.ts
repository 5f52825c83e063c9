/** A request that an upstream sends to its client during a call: elicitation, sampling, roots. */
export interface ServerRequest {
  readonly method: string;
  /** The params as the JSON that came; undefined if there are none. */
  readonly params: Buffer | undefined;
}

/** What a server request is answered with: the JSON of `result`, or of `error`. */
export type ServerAnswer = { readonly result: Buffer } | { readonly error: Buffer };

/** The answer of a caller to a question, as a message that came from it. */
export interface CallerAnswer {
  /** The id of the question; undefined if it is not a text, and so not an id that the gateway has made. */
  readonly id: string | undefined;
  /** Undefined if the message is neither a result nor an error of the protocol. */
  readonly answer: ServerAnswer | undefined;
}

/** The answer if the caller did not declare that it can be asked this, or there is no caller to ask. */
export function refusedRequest(message: string): ServerAnswer {
  return { error: Buffer.from(JSON.stringify({ code: -32_601, message })) };
}

/** The answer if the caller was asked and did not answer. */
export function unansweredRequest(message: string): ServerAnswer {
  return { error: Buffer.from(JSON.stringify({ code: -32_603, message })) };
}

/** The answer to a request that cannot be passed on as it is. */
export function malformedRequest(message: string): ServerAnswer {
  return { error: Buffer.from(JSON.stringify({ code: -32_602, message })) };
}
