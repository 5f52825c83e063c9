// An HTTP server whose answers each test writes for itself.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@recourse/test-kit/loopback";

/** A request that arrived, with its whole body. */
export interface RawRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RawServer {
  readonly url: string;
  readonly requests: readonly RawRequest[];
  /** How many answers were sent to their end. */
  ended(): number;
  close(): Promise<void>;
}

/** Starts a server that answers `server/discover` by itself, and everything else with `answer`. */
export async function startRawServer(
  answer: (response: ServerResponse, request: RawRequest) => void,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  let ended = 0;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const request = {
      method: incoming.method ?? "",
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    };
    if (request.headers["mcp-method"] === "server/discover") {
      sendJson(response, DISCOVERED);
      return;
    }
    requests.push(request);
    response.on("finish", () => {
      ended += 1;
    });
    answer(response, request);
  });
  const { url, close } = await listenOnLoopback(server);
  return { url: url.href, requests, ended: () => ended, close };
}

const DISCOVERED =
  '{"jsonrpc":"2.0","id":"discover","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"Ask."}}';

export function sendJson(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body);
}
