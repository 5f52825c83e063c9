import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/** A JSON-RPC request as a hand-made server sees it. */
interface Call {
  readonly id?: unknown;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a hand-made server answers: a result, or nothing if it took the response into its own hands. */
export type Answers = Readonly<Record<string, (call: Call) => unknown>>;

/** A server over HTTP without an SDK, in the older era. Unknown methods get -32601, other bodies -32700. */
export function handMade(answers: Answers): RequestListener {
  const all: Answers = { initialize: () => INTRODUCTION, ...answers };
  return (request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const send = (status: number, body: unknown): void => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(body === undefined ? "" : JSON.stringify(body));
      };
      let message: Partial<Call> | undefined;
      try {
        message = JSON.parse(String(Buffer.concat(pieces))) as Partial<Call>;
      } catch {
        send(400, { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Not JSON" } });
        return;
      }
      const { id, method = "", params = {} } = message;
      const answer = Object.hasOwn(all, method) ? all[method] : undefined;
      if (id === undefined) send(202, undefined);
      else if (answer === undefined)
        send(200, { jsonrpc: "2.0", id, error: { code: -32601, message: "Unknown method" } });
      else {
        const result = answer({ id, method, params, request, response });
        if (result !== undefined) send(200, { jsonrpc: "2.0", id, result });
      }
    });
  };
}

const INTRODUCTION = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "hand-made", version: "1.0.0" },
};
