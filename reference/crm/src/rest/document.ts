import * as z from "zod";
import type { Operation } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/operations.ts";
import { WORKSPACE } from "./input.ts";
import { BASE_PATH } from "./match.ts";

/** The description of each failure status. */
const FAILURE_DESCRIPTIONS = {
  400: "Arguments are wrong, or the key spans several workspaces and none is named.",
  401: "The key is missing or not honoured.",
  403: "The key has no access to the workspace, or may not do this.",
  404: "It does not exist in the workspace.",
  422: "It exists, but its state does not allow this.",
  429: "The key has made too many requests.",
  500: "The service failed.",
  503: "The service is not available at the moment.",
} as const;

/** The failure statuses of every operation. */
const COMMON_STATUSES = [400, 401, 403, 429, 500, 503] as const;

/** The OpenAPI document of the API, made from its operations. `server` is the address of the API. */
export function openapiDocument(server = ""): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "CRM", version: "1.0.0" },
    servers: [{ url: `${server}${BASE_PATH}` }],
    security: [{ key: [] }],
    paths,
    components: { securitySchemes: { key: { type: "http", scheme: "bearer", bearerFormat: "pl_key_…" } } },
  };
}

const WORKSPACE_PARAMETER = {
  name: WORKSPACE,
  in: "query",
  description: "The id of the workspace; needed where the key spans several.",
  schema: { type: "string", maxLength: 50 },
};

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

function describeOperation(operation: Operation): object {
  const { id, path, summary, method, success, fails } = operation;
  const { properties, required = [] } = z.toJSONSchema(operation.input, { io: "input" }) as unknown as ObjectSchema;
  const inPath = Object.entries(properties).filter(([name]) => path.includes(`{${name}}`));
  const others = Object.entries(properties).filter(([name]) => !path.includes(`{${name}}`));
  const parameter = (place: string) => (entry: readonly [string, object]) => {
    const [name, schema] = entry;
    return { name, in: place, ...(required.includes(name) && { required: true }), schema };
  };
  const isBody = method === "POST" && others.length > 0;
  return {
    operationId: id,
    summary,
    parameters: [
      ...inPath.map(parameter("path")),
      ...(isBody ? [] : others.map(parameter("query"))),
      WORKSPACE_PARAMETER,
    ],
    ...(isBody && { requestBody: requestBody(Object.fromEntries(others), required) }),
    responses: { [success]: jsonResponse("Done."), ...failureResponses([...COMMON_STATUSES, ...fails]) },
  };
}

function requestBody(properties: ObjectSchema["properties"], required: readonly string[]): object {
  const named = required.filter((name) => Object.hasOwn(properties, name));
  const schema = { type: "object", properties, required: named, additionalProperties: false };
  return { required: true, content: { "application/json": { schema } } };
}

function failureResponses(statuses: readonly (keyof typeof FAILURE_DESCRIPTIONS)[]): object {
  return Object.fromEntries(statuses.map((status) => [status, jsonResponse(FAILURE_DESCRIPTIONS[status])]));
}

function jsonResponse(description: string): object {
  return { description, content: { "application/json": { schema: { type: "object" } } } };
}
