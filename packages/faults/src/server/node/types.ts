// The parts of requests and responses of Node, Express and Fastify that are used here. None of them is imported.

/** A request of `node:http`, or one of a framework that extends it, such as Express. */
export interface NodeRequest extends AsyncIterable<unknown> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Whether something has read from the body. */
  readonly readableDidRead?: boolean;
  /** The connection. */
  readonly socket?: { readonly localAddress?: string | undefined } | null;
  /** Throws the rest of the body away. */
  resume(): unknown;
}

/** A response of `node:http`, or one of a framework that extends it. */
export interface NodeResponse {
  /** Whether an answer has begun. */
  readonly headersSent: boolean;
  /** Whether the answer has been handed over completely. */
  readonly writableEnded: boolean;
  /** Whether the connection is gone. */
  readonly destroyed: boolean;
  /** Sets one header. */
  setHeader(name: string, value: string | readonly string[]): unknown;
  /** Takes one header back. */
  removeHeader(name: string): unknown;
  /** Begins the answer. */
  writeHead(status: number): unknown;
  /** Writes a part of the body; false if the next part should wait. */
  write(chunk: Uint8Array): boolean;
  /** Ends the answer. */
  end(): unknown;
  /** Ends the connection. */
  destroy(): unknown;
  /** Calls back on an event. */
  on(event: "close" | "drain", listener: () => void): unknown;
}

/** A request of Fastify. */
export interface WrappedRequest {
  /** The request of Node. */
  readonly raw: NodeRequest;
  /** What the parser of the framework read. */
  readonly body?: unknown;
}

/** A reply of Fastify. */
export interface WrappedResponse {
  /** The response of Node. */
  readonly raw: NodeResponse;
  /** Tells the framework that the answer is given elsewhere. */
  hijack(): unknown;
  /** The headers that hooks have set so far. */
  getHeaders(): Readonly<Record<string, number | string | readonly string[] | undefined>>;
}

/** The request of Node in whatever a framework gives. */
export function rawRequest(request: NodeRequest | WrappedRequest): NodeRequest {
  return "raw" in request ? request.raw : request;
}

/** The response of Node in whatever a framework gives, which then leaves the answer to the caller. */
export function takeResponse(response: NodeResponse | WrappedResponse): NodeResponse {
  if (!("raw" in response)) return response;
  response.hijack();
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined) response.raw.setHeader(name, typeof value === "number" ? String(value) : value);
  }
  return response.raw;
}
