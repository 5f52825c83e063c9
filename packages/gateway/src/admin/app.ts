import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Fault, Issue } from "@recourse/core";
import { auth, content, core, protocol } from "@recourse/core/reasons";
import { checkArguments } from "@recourse/core/schema";
import { entriesOf, memberAt, race, sleep, toPointer } from "@recourse/core/wire";
import type { Context, MiddlewareHandler, Next } from "hono";
import { HTTPException } from "hono/http-exception";
import { ADMIN_ROLES, type AdminRole } from "../config/types.ts";
import { announcedLength } from "../edge/body.ts";
import {
  type AdminFailure,
  ANSWER_HEADERS,
  AWAY_MS,
  createProblemResponse,
  entityTag,
  namesTag,
  toFailure,
} from "./answer.ts";
import { serveConsole, useSession } from "./console-requests.ts";
import {
  type AdminBindings,
  type AdminEnv,
  type AdminRoute,
  BASE_PATH,
  defineRoute,
  type Operator,
  Refusal,
} from "./route.ts";
import { APPROVAL_ROUTES } from "./routes/approvals.ts";
import { CHANGE_ROUTES } from "./routes/changes.ts";
import { EXPLAIN_ROUTES } from "./routes/explain.ts";
import { INCIDENT_ROUTES } from "./routes/incidents.ts";
import { KEY_ROUTES } from "./routes/keys.ts";
import { ME_ROUTES } from "./routes/me.ts";
import { OVERVIEW_ROUTES } from "./routes/overview.ts";
import { STATE_ROUTES } from "./routes/state.ts";
import { PROBLEM_DOCUMENT, readWholeNumber } from "./schemas.ts";

type AdminContext = Context<AdminEnv>;

/** The most bytes of a body. */
export const MAX_BODY_BYTES = 64 * 1_024;
/** How long a handler may take: a database that stands still gives no answer at all. */
const ANSWER_MS = 10_000;

/** Where a key can be. A request that has one of them is judged by it alone. */
const KEY_HEADERS = ["authorization", "x-api-key"] as const;

/** Of a route without parameters every one is refused. */
const NO_PARAMETERS = z.strictObject({});

const NO_SUCH_PATH = core.not_found.fault({}, { effect: "none" });
const WRONG_METHOD = core.unsupported.fault({}, { effect: "none", recourse: [{ do: "stop" }] });

/** Every route of the API for operators. What is checked, documented and tested comes from this table. */
export const ROUTES: readonly AdminRoute[] = [
  ...INCIDENT_ROUTES,
  ...EXPLAIN_ROUTES,
  ...APPROVAL_ROUTES,
  ...KEY_ROUTES,
  ...STATE_ROUTES,
  ...CHANGE_ROUTES,
  ...OVERVIEW_ROUTES,
  ...ME_ROUTES,
  defineRoute({
    method: "GET",
    path: "/openapi.json",
    id: "getDocument",
    // It is in the package too, and says nothing about one gateway.
    role: undefined,
    summary: "Get the OpenAPI document of this API.",
    isUnlisted: true,
    answer: z.looseObject({}),
    handle: () => adminDocument(),
  }),
];

/** The API for operators. Nothing of one gateway is in it: that comes with each request. */
export const ADMIN_APP = createAdminApp(ROUTES);

function createAdminApp(routes: readonly AdminRoute[]): OpenAPIHono<AdminEnv> {
  const app = new OpenAPIHono<AdminEnv>({
    // As it was sent: what a proxy in front has let through is what counts here.
    getPath: (_, options) => (options?.env as AdminBindings | undefined)?.origin.head.path ?? "",
    defaultHook: (result, c) =>
      result.success ? undefined : answerFailure(c, { fault: invalidParams(result as unknown as FailedCheck, c) }),
  });
  app.onError((error, c) => answerFailure(c, classifyThrown(error, c)));
  app.notFound((c) => answerFailure(c, { fault: NO_SUCH_PATH }));
  // What every request passes, in this order. Pages of the console and its sign-in need no key.
  app.use(begin, checkSource, serveConsole({ readBody, answerFailure }));
  for (const route of routes) if (route.role === undefined) addRoute(app, route);
  // Without a key nobody finds out which paths there are.
  app.use(authenticateOperator);
  for (const route of routes) if (route.role !== undefined) addRoute(app, route);
  for (const [path, methods] of Map.groupBy(routes, (route) => route.path)) {
    const allow = methods.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    app.all(routingPath(path), (c) => answerFailure(c, { fault: WRONG_METHOD, status: 405, allow }));
  }
  return app;
}

async function begin(c: AdminContext, next: Next) {
  c.set("startedMs", c.env.monotonic());
  await next();
}

async function checkSource(c: AdminContext, next: Next) {
  const fault = c.env.checkSource(c.env.origin.head);
  return fault === undefined ? next() : answerFailure(c, { fault });
}

/** By the key that a request shows, otherwise by the session of the console. */
async function authenticateOperator(c: AdminContext, next: Next) {
  const hasKey = KEY_HEADERS.some((name) => c.env.origin.head.header(name) !== undefined);
  const answered = hasKey ? undefined : await useSession(c, next, answerFailure);
  if (answered !== undefined) return answered;
  const operator = c.env.checkOperator(c.env.origin.head);
  if ("refused" in operator) return answerFailure(c, { fault: operator.refused });
  c.set("operator", operator);
  return next();
}

/** What a request must pass to reach the handler of a route; its parameters are checked after that. */
function admit(route: AdminRoute): MiddlewareHandler<AdminEnv> {
  const { id, role } = route;
  return async (c, next) => {
    c.set("route", route);
    if (!mayUse(c.get("operator"), role))
      return answerFailure(c, {
        fault: auth.not_authorized.fault({ operation: id, ...(role && { requiredRole: role }) }),
      });
    const fault = checkTarget(c);
    return fault === undefined ? next() : answerFailure(c, { fault });
  };
}

function addRoute(app: OpenAPIHono<AdminEnv>, route: AdminRoute): void {
  const { method, path, id, summary, description, role, params, query, body, status = 200, answer, tagged } = route;
  const config = {
    method: method === "GET" ? "get" : method === "POST" ? "post" : "delete",
    path: `${BASE_PATH}${path}`,
    operationId: id,
    summary,
    description: [description, `Needs the role \`${role}\`.`].filter((part) => part !== undefined).join(" "),
    "x-required-role": role,
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(body && { body: { required: true, content: { "application/json": { schema: body } } } }),
    },
    responses: {
      [status]: {
        description: status === 201 ? "It was made." : "The answer.",
        content: { "application/json": { schema: answer } },
      },
      ...(tagged && { 304: { description: "The answer is the one that `If-None-Match` names." } }),
      default: { $ref: "#/components/responses/Problem" } as never,
    },
  } as const;
  if (route.isUnlisted !== true) app.openAPIRegistry.registerPath(config);
  const answerRequest = async (c: AdminContext): Promise<Response> => {
    const { parts } = c.env;
    const parameters = (target: string) => c.req.valid(target as never) as object | undefined;
    const members = body === undefined ? {} : await readBody(c, body);
    if (members instanceof Refusal) return answerFailure(c, { fault: members.fault });
    const values = { ...parameters("param"), ...parameters("query"), ...members };
    const request = { operator: c.get("operator"), values };
    const work = Promise.resolve(route.handle(request, parts));
    const made = await race(work, { ms: parts.answerMs ?? ANSWER_MS, sleep });
    // The work may still finish after this wait.
    if (typeof made === "symbol")
      return answerFailure(c, {
        fault: core.unavailable.fault({}, { effect: method === "GET" ? "none" : "possible", afterMs: AWAY_MS }),
      });
    if (made instanceof Refusal) return answerRefusal(c, made);
    if (tagged === undefined) return c.json(made, status, ANSWER_HEADERS);
    const headers = { ...ANSWER_HEADERS, etag: entityTag(tagged(made)) };
    const isKnown = namesTag(c.env.origin.head.header("if-none-match"), headers.etag);
    return isKnown ? c.body(null, 304, headers) : c.json(made, status, headers);
  };
  // Bodies are read here, within the bounds of the listener; the framework checks the rest.
  const request = { query: query ?? NO_PARAMETERS, ...(params && { params }) };
  app.openapi({ ...config, request, hide: true, middleware: admit(route) }, answerRequest as never);
}

function answerRefusal(c: AdminContext, { fault, sentence }: Refusal): Response {
  return answerFailure(c, { fault, ...(sentence !== undefined && { sentence }) });
}

function routingPath(path: string): string {
  return `${BASE_PATH}${path}`.replaceAll(/\{(\w+)\}/g, ":$1");
}

function answerFailure(c: Context, failure: AdminFailure): Response {
  const { env, var: known } = c as AdminContext;
  const { route } = known;
  const method = route === undefined ? "admin" : `${route.method} ${BASE_PATH}${route.path}`;
  const durationMs = Math.max(0, Math.round(env.monotonic() - known.startedMs));
  return createProblemResponse(env.origin, failure, { method, durationMs }, env.parts);
}

/** What was thrown. Texts of exceptions of the framework go nowhere. */
function classifyThrown(error: unknown, c: AdminContext): AdminFailure {
  return error instanceof HTTPException
    ? { fault: protocol.bad_request.fault(), cause: error }
    : toFailure(error, c.env.parts);
}

/** Each role may do what those before it may. */
function mayUse(operator: Operator | undefined, role: AdminRole | undefined): boolean {
  return role === undefined || (operator !== undefined && roleRank(operator.role) >= roleRank(role));
}

function roleRank(role: AdminRole): number {
  return ADMIN_ROLES.indexOf(role);
}

/** Refuses what the router passes over: a path that cannot be decoded, and parameters with names such as `__proto__`. */
function checkTarget(c: AdminContext): Fault | undefined {
  try {
    decodeURIComponent(c.env.origin.head.path);
  } catch {
    return protocol.bad_request.fault();
  }
  const seen = c.req.queries();
  const names = [...new URL(c.req.url).searchParams.keys()];
  if (names.every((name) => Object.hasOwn(seen, name))) return undefined;
  return protocol.invalid_params.fault({}, { issues: [{ pointer: "", rule: "unknown" }] });
}

async function readBody(c: AdminContext, schema: z.ZodObject): Promise<object | Refusal> {
  const { head } = c.env.origin;
  const type = head.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  // The slot shows only what is a media type by its grammar.
  if (type !== "application/json")
    return new Refusal(content.invalid_type.fault(type === undefined ? {} : { contentType: type }));
  if ((announcedLength(head.header("content-length")) ?? 0) > MAX_BODY_BYTES)
    return new Refusal(content.message_too_large.fault({ maxSize: MAX_BODY_BYTES }));
  const bytes = await c.env.origin.readBody();
  if (!Buffer.isBuffer(bytes)) return new Refusal(bytes);
  const sent = parseJsonBody(bytes);
  if (sent instanceof Refusal) return sent;
  const { data, error } = schema.safeParse(sent);
  return data ?? new Refusal(invalidParams({ target: "json", data: sent, error }, c));
}

function parseJsonBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return new Refusal(protocol.parse_error.fault());
  }
}

/** The result of checking a part of a request that is invalid. */
interface FailedCheck {
  readonly target: string;
  /** What was sent. */
  readonly data: unknown;
  readonly error: z.ZodError | undefined;
}

/** What is wrong with parameters or a body, by place, in the words of the library. */
function invalidParams({ target, data, error }: FailedCheck, c: Context): Fault {
  const { query = NO_PARAMETERS, params, body } = (c as AdminContext).var.route ?? {};
  const schema = jsonSchema((target === "query" ? query : target === "param" ? params : body) ?? NO_PARAMETERS);
  const sent = target === "query" ? readQuery(data, schema) : { members: data, repeated: [] };
  const listed = [...sent.repeated, ...checkArguments(sent.members, schema)];
  const others = (error?.issues ?? []).map(({ code, path, message }): Issue => {
    const expected = code === "custom" ? message : "another value";
    return { pointer: toPointer(path as (string | number)[]), rule: "range", expected };
  });
  return protocol.invalid_params.fault({}, { issues: listed.length > 0 ? listed : others });
}

function readQuery(sent: unknown, schema: object): { readonly members: object; readonly repeated: readonly Issue[] } {
  const entries = entriesOf(sent);
  const properties = memberAt(schema, "properties");
  const members = entries.map(([name, value]) => {
    const last = Array.isArray(value) ? value.at(-1) : value;
    const isNumber = memberAt(memberAt(properties, name), "type") === "integer";
    return [name, isNumber ? readWholeNumber(last) : last];
  });
  const repeated = entries.filter(([, value]) => Array.isArray(value));
  return {
    members: Object.fromEntries(members),
    repeated: repeated.map(([name]) => ({ pointer: toPointer([name]), rule: "duplicate", expected: "one value" })),
  };
}

export function jsonSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    // The name of the format says it better.
    override: ({ jsonSchema: node }) => void (node.format === "date-time" && delete node.pattern),
  });
}

/** The version of the API. Paths begin with its first number. */
const API_VERSION = "1.0.0";

let document: object | undefined;

/** The OpenAPI 3.1 document of the API. */
export function adminDocument(): object {
  document ??= createDocument();
  return document;
}

function createDocument(): object {
  const { openAPIRegistry: registry } = ADMIN_APP;
  registry.registerComponent("securitySchemes", "adminKey", {
    type: "http",
    scheme: "bearer",
    description: "The key of an operator.",
  });
  registry.register("Problem", PROBLEM_DOCUMENT);
  registry.registerComponent("responses", "Problem", {
    description: "A failure.",
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  });
  return ADMIN_APP.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Recourse gateway: API for operators",
      version: API_VERSION,
      description: "Incidents, approvals, keys, breakers, limits and the audit of a Recourse gateway.",
    },
    // Relative to the address that the document was read from.
    servers: [{ url: "/" }],
    security: [{ adminKey: [] }],
  });
}
