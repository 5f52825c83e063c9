import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { leaks } from "@recourse/testing";
import { REPLIES } from "./replies.ts";
import type { Reply } from "./reply.ts";

/** Texts that a service might let slip, short enough to stand in any body. */
const SHORT = leaks.filter(({ text }) => text.length < 400);

/** What must not cross of the reply at a place in the table. */
export function plantedAt(index: number): { readonly text: string; readonly canaries: readonly string[] } {
  const { text, canaries } = SHORT[index % SHORT.length] ?? { text: "", canaries: [] };
  return { text, canaries: [...canaries, "login.internal.example"] };
}

/** A service whose things answer as the table says: `/things/7` with the seventh reply. */
export interface Upstream {
  readonly url: string;
  /** How often each reply was asked for. */
  readonly asked: readonly number[];
  close(): Promise<void>;
}

/** Starts the service on loopback. */
export async function startUpstream(): Promise<Upstream> {
  const asked = REPLIES.map(() => 0);
  const server = createServer((request, response) => {
    const index = Number(/^\/things\/(\d+)(?:\?|$)/.exec(request.url ?? "")?.[1]);
    const reply = REPLIES[index];
    request.resume();
    if (reply === undefined) return response.writeHead(404).end();
    asked[index] = (asked[index] ?? 0) + 1;
    const { type, text } = bodyOf(reply, index);
    response.writeHead(reply.status, { "content-type": type, ...reply.headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function bodyOf(reply: Reply, index: number): { readonly type: string; readonly text: string } {
  const body = reply.body(plantedAt(index).text);
  if (typeof body === "string") return { type: "text/plain", text: body };
  return { type: "application/json", text: JSON.stringify(body) };
}

/** The service as an OpenAPI document. */
export function documentFor(url: string): object {
  const done = { description: "Done.", content: { "application/json": { schema: { type: "object" } } } };
  const schema = { type: "object", properties: { name: { type: "string" } } };
  return {
    openapi: "3.0.3",
    info: { title: "Things", version: "1.0.0", description: "Things to read and to change." },
    servers: [{ url }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    paths: {
      "/things/{id}": {
        parameters: [{ name: "id", in: "path", required: true, description: "Which one.", schema: { type: "string" } }],
        get: { operationId: "readThing", summary: "Reads a thing.", responses: { 200: done } },
        post: {
          operationId: "changeThing",
          summary: "Changes a thing.",
          requestBody: { content: { "application/json": { schema } } },
          responses: { 200: done },
        },
      },
    },
  };
}
