// A small API with a service behind it, for the tests of calls.

import { closeAfterTest, openUpstream } from "@recourse/test-kit/fixtures";
import { answerJson, type TestUpstream, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { type Bridge, bearer, type OpenapiOptions, openapi } from "../src/index.ts";

/** The key of the server. */
export const KEY = "pl_key_0123456789abcdef";
const JSON_BODY = { content: { "application/json": { schema: {} } } };
/** The document of the API. */
export const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "CRM", version: "1" },
  paths: {
    "/clients": {
      get: {
        operationId: "listClients",
        parameters: [{ name: "page", in: "query", schema: { type: "integer" } }],
        responses: { 200: { description: "All.", ...JSON_BODY } },
      },
      post: {
        operationId: "createClient",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  name: { type: "string" },
                  address: { type: "object", properties: { city: { type: "string" } } },
                },
                required: ["name"],
              },
            },
          },
        },
        parameters: [{ name: "Idempotency-Key", in: "header", schema: { type: "string" } }],
        responses: { 201: { description: "Made.", ...JSON_BODY }, 422: { description: "No." } },
      },
    },
    "/clients/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: { operationId: "getClient", responses: { 200: { description: "One.", ...JSON_BODY }, 404: {} } },
      delete: { operationId: "deleteClient", responses: { 204: { description: "Gone." } } },
    },
    "/search": { post: { operationId: "search", responses: { 200: { description: "Found.", ...JSON_BODY } } } },
    "/files": {
      get: {
        operationId: "getFile",
        responses: { 200: { description: "", content: { "image/png": {}, "text/plain": {} } } },
      },
    },
    "/elsewhere": {
      servers: [{ url: "https://elsewhere.example" }],
      get: { operationId: "elsewhere", responses: { 200: { description: "" } } },
    },
  },
  components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  security: [{ key: [] }],
};

/** Starts a service with this answer, and a bridge to it. */
export async function startCrm(
  answer: UpstreamAnswer,
  options: OpenapiOptions = {},
): Promise<{ readonly crm: Bridge; readonly upstream: TestUpstream }> {
  const upstream = await openUpstream(answer);
  const crm = await openapi(DOCUMENT, {
    server: `${upstream.url}/v1`,
    credential: bearer(KEY),
    network: { allowPrivate: true },
    sink: () => {},
    ...options,
  });
  return { crm: closeAfterTest(crm), upstream };
}

/** Gives every request the same answer. */
export const answering = (status: number, body: unknown, headers?: Record<string, string>): UpstreamAnswer => {
  return (_, response) => answerJson(response, status, body, headers);
};
