import { createServer, type Server, type ServerResponse } from "node:http";

/** Options of `createPostServer`. */
export interface PostServerOptions {
  /** How long an idle connection stays open, in ms. */
  readonly keepAliveTimeout: number;
  /** The status for `DELETE`, which ends a session. @default 405 */
  readonly deleteStatus?: number;
}

/** A server that answers the whole text of each POST. Connections that break off are ignored. */
export function createPostServer(
  { keepAliveTimeout, deleteStatus = 405 }: PostServerOptions,
  answer: (text: string, response: ServerResponse) => void,
): Server {
  return createServer({ keepAliveTimeout }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    request.on("end", () => {
      if (request.method === "POST") answer(Buffer.concat(chunks).toString(), response);
      else response.writeHead(request.method === "DELETE" ? deleteStatus : 405).end();
    });
  });
}
