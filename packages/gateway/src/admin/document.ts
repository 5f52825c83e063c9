import { BASE_PATH, type Route, type Schema } from "./route.ts";
import { SCHEMAS } from "./schemas.ts";

/** The version of the API. Paths begin with its first number. */
const VERSION = "1.0.0";

const NAMES = new Map<unknown, string>(Object.entries(SCHEMAS).map(([name, schema]) => [schema, name]));

/** The OpenAPI 3.1 document of some routes. */
export function adminDocument(routes: readonly Route[]): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (route.isUnlisted === true) continue;
    const path = `${BASE_PATH}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Recourse gateway: API for operators",
      version: VERSION,
      description: "Incidents, approvals, keys, breakers, limits and the audit of a Recourse gateway.",
    },
    // Relative to the address that the document was read from.
    servers: [{ url: "/" }],
    security: [{ adminKey: [] }],
    paths,
    components: {
      securitySchemes: { adminKey: { type: "http", scheme: "bearer", description: "The key of an operator." } },
      schemas: Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, membersOf(schema)])),
      responses: {
        Problem: {
          description: "A failure.",
          content: { "application/problem+json": { schema: withNames(SCHEMAS.Problem) } },
        },
      },
    },
  };
}

function operationOf(route: Route): Schema {
  const { id, summary, description, role, params = {}, query = {}, body, status = 200, answer } = route;
  const parameters = [
    ...Object.entries(params).map(([name, schema]) => parameter(name, "path", schema)),
    ...Object.entries(query).map(([name, schema]) => parameter(name, "query", schema)),
  ];
  return {
    operationId: id,
    summary,
    description: [description, `Needs the role \`${role}\`.`].filter((part) => part !== undefined).join(" "),
    "x-required-role": role,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: withNames(body) } } },
    }),
    responses: {
      [status]: {
        description: status === 201 ? "It was made." : "The answer.",
        content: { "application/json": { schema: withNames(answer) } },
      },
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

function parameter(name: string, place: "path" | "query", { description, ...schema }: Schema): Schema {
  return { name, in: place, ...(place === "path" && { required: true }), description, schema: withNames(schema) };
}

/** A schema in which those that have a name are referred to. */
function withNames(node: unknown): unknown {
  const name = NAMES.get(node);
  return name === undefined ? membersOf(node) : { $ref: `#/components/schemas/${name}` };
}

function membersOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNames);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withNames(value)]));
}
