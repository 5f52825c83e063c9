import { bearer, openapi } from "@recourse/bridge";
import { answerJson, startUpstream, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { withoutIds } from "../fixed.ts";
import { readBy } from "../shop.ts";
import { group } from "../situation.ts";

const JSON_BODY = { content: { "application/json": { schema: {} } } };
const name = { type: "string" };
const ID = { name: "id", in: "path", required: true, schema: { type: "integer" } };
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "CRM", version: "1" },
  paths: {
    "/clients": {
      post: {
        operationId: "createClient",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { type: "object", properties: { name, email: name, stage: name }, required: ["name"] },
            },
          },
        },
        responses: { 201: { description: "Made.", ...JSON_BODY } },
      },
    },
    "/clients/{id}": {
      parameters: [ID],
      get: { operationId: "getClient", responses: { 200: { description: "One.", ...JSON_BODY } } },
    },
  },
  components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  security: [{ key: [] }],
};

/** What a model reads when the service gives this answer. */
async function through(answer: UpstreamAnswer, tool: "createClient" | "getClient", args?: object): Promise<string> {
  const upstream = await startUpstream(answer);
  const bridge = await openapi(DOCUMENT, {
    server: upstream.url,
    credential: bearer("pl_key_0123456789abcdef"),
    network: { allowPrivate: true },
    sink: () => {},
  } as never);
  try {
    const outcome = await bridge.call(tool, (args ?? (tool === "getClient" ? { id: 7 } : { name: "Ann" })) as never);
    return withoutIds(readBy(outcome as never));
  } finally {
    await bridge.close();
    await upstream.close();
  }
}

const PROBLEM = { "content-type": "application/problem+json" };
const reply = (status: number, body: unknown, headers: Record<string, string> = {}): UpstreamAnswer => {
  return (_, response) => answerJson(response, status, body, headers);
};
const problem = (status: number, body: object): UpstreamAnswer => reply(status, { status, ...body }, PROBLEM);
const page =
  (status: number): UpstreamAnswer =>
  (_, response) => {
    response.writeHead(status, { "content-type": "text/html" });
    response.end("<html><body><h1>Something went wrong</h1></body></html>");
  };

export const REST = group("rest", [
  {
    id: "404",
    what: "404 with a detail",
    run: () => through(problem(404, { title: "Not found", detail: "Client 7 not found" }), "getClient"),
  },
  { id: "404-bare", what: "404 with an empty object", run: () => through(reply(404, {}), "getClient") },
  {
    id: "409",
    what: "409 with a detail",
    run: () => through(problem(409, { detail: "A client named Ann exists" }), "createClient"),
  },
  {
    id: "422",
    what: "422 with problem details for two fields",
    run: () => {
      const errors = [
        { pointer: "#/email", detail: "must be an e-mail address" },
        { pointer: "#/stage", detail: "must be one of lead, customer" },
      ];
      return through(problem(422, { title: "Invalid", errors }), "createClient");
    },
  },
  {
    id: "422-detail",
    what: "422 with one sentence",
    run: () => through(problem(422, { detail: "The stage friend does not exist" }), "createClient"),
  },
  {
    id: "429",
    what: "429 with Retry-After: 120",
    run: () => through(reply(429, {}, { "retry-after": "120" }), "getClient"),
  },
  {
    id: "500-read",
    what: "500 with JSON, reading",
    run: () => through(reply(500, { error: "NullPointerException" }), "getClient"),
  },
  {
    id: "500-write",
    what: "500 with JSON, writing",
    run: () => through(reply(500, { error: "NullPointerException" }), "createClient"),
  },
  { id: "502-html", what: "502 with a page, writing", run: () => through(page(502), "createClient") },
  {
    id: "503-wait",
    what: "503 with Retry-After: 90, reading",
    run: () => through(reply(503, {}, { "retry-after": "90" }), "getClient"),
  },
  { id: "401", what: "401: the service refuses the server's own key", run: () => through(reply(401, {}), "getClient") },
  {
    id: "403",
    what: "403 with a detail",
    run: () => through(problem(403, { detail: "Only admins may do this" }), "getClient"),
  },
  { id: "412", what: "412: the version is old", run: () => through(reply(412, {}), "createClient") },
  {
    id: "cut",
    what: "the connection breaks while writing",
    run: () => through((_, response) => response.destroy(), "createClient"),
  },
  { id: "html-200", what: "200 with a page instead of JSON", run: () => through(page(200), "getClient") },
  {
    id: "arguments",
    what: "an argument that the document does not allow",
    run: () => through(reply(200, {}), "getClient", { id: "seven" }),
  },
]);
