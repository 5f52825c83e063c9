import * as z from "zod";
import type { Operation } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/operations.ts";
import { WORKSPACE } from "./input.ts";
import { BASE } from "./match.ts";

/** What each status means that an operation fails with. */
const FAILURES = {
  400: "Arguments are wrong, or the key spans several workspaces and none is named.",
  401: "The key is missing or not honoured.",
  403: "The key has no access to the workspace, or may not do this.",
  404: "It does not exist in the workspace.",
  422: "It exists, but its state does not allow this.",
  429: "The key has made too many requests.",
  500: "The service failed.",
  503: "The service is not available at the moment.",
} as const;

/** The statuses that every operation may fail with. */
const COMMON = [400, 401, 403, 429, 500, 503] as const;

/** The OpenAPI document of the API, made of the operations themselves; `server` is where the API is reached. */
export function openapiDocument(server = ""): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described(operation) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "CRM", version: "1.0.0" },
    servers: [{ url: `${server}${BASE}` }],
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

function described(operation: Operation): object {
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
    ...(isBody && { requestBody: bodyOf(Object.fromEntries(others), required) }),
    responses: { [success]: response("Done."), ...failuresOf([...COMMON, ...fails]) },
  };
}

function bodyOf(properties: ObjectSchema["properties"], required: readonly string[]): object {
  const named = required.filter((name) => Object.hasOwn(properties, name));
  const schema = { type: "object", properties, required: named, additionalProperties: false };
  return { required: true, content: { "application/json": { schema } } };
}

function failuresOf(statuses: readonly (keyof typeof FAILURES)[]): object {
  return Object.fromEntries(statuses.map((status) => [status, response(FAILURES[status])]));
}

function response(description: string): object {
  return { description, content: { "application/json": { schema: { type: "object" } } } };
}
