// The REST API behind both servers: its document, and a version of it that fails on request.
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";

/** What the API publishes about itself. */
export const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "CRM", version: "1" },
  paths: {
    "/clients/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: { operationId: "get_client", responses: { 200: { description: "The client." } } },
    },
    "/clients": {
      post: {
        operationId: "create_client",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { name: { type: "string" }, stage: { type: "string", enum: ["lead", "customer"] } },
                required: ["name", "stage"],
              },
            },
          },
        },
        responses: { 201: { description: "The new client." } },
      },
    },
  },
};

/** Clients whose number is a status have that failure. */
const FAILURES: Readonly<Record<string, unknown>> = {
  400: { code: 400, error: "Must specify a valid workspace" },
  403: { code: 403, error: "This key has no access to the workspace" },
  404: { code: 404, error: "Client not found", details: "No client 404 in this workspace" },
  418: { code: 4180, error: "No coffee", hint: { pot: "tea" } },
  422: { code: 422, error: "The agent has no workspace" },
  500: { code: 500, error: "Internal error" },
  502: "<html>Bad gateway</html>",
};

/** A server with the API. It repeats the key of the caller where client 401 is asked for. */
export function createApi(): Server {
  return createServer((request, response) => {
    const id = /^\/clients\/(\w+)$/.exec(request.url ?? "")?.[1] ?? "";
    const refused = { code: 401, error: `${request.headers.authorization} is disabled` };
    const body = id === "401" ? refused : (FAILURES[id] ?? { id: id || "8", name: "Ada" });
    const status = Number(id) > 399 ? Number(id) : request.method === "POST" ? 201 : 200;
    const type = typeof body === "string" ? "text/html" : "application/json";
    response.writeHead(status, { "content-type": type, "x-request-id": randomUUID() });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}
