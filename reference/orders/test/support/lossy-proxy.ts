// An HTTP server in front of another one. It passes requests on, and can lose the reply to one of them.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface LossyProxy {
  readonly url: string;
  /** Loses the reply to the next request that has this text in its body: the request is served, and then the connection ends. */
  loseReplyTo(text: string): void;
  close(): Promise<void>;
}

export async function lossyProxy(address: string): Promise<LossyProxy> {
  let lost: string | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const headers = new Headers(request.headers as Record<string, string>);
    for (const name of ["host", "connection", "content-length", "transfer-encoding"]) headers.delete(name);
    const hasBody = request.method !== "GET" && request.method !== "HEAD";
    const init = { method: request.method ?? "GET", headers, ...(hasBody && { body }) };
    const reply = await fetch(new URL(request.url ?? "/", address), init);
    const content = Buffer.from(await reply.arrayBuffer());
    if (lost !== undefined && body.includes(lost)) {
      lost = undefined;
      request.socket.destroy();
      return;
    }
    const type = reply.headers.get("content-type");
    response.writeHead(reply.status, type === null ? {} : { "content-type": type }).end(content);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseReplyTo: (text) => {
      lost = text;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
