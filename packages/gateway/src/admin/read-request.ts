import { content, type Issue, protocol } from "@recourse/faults";
import {
  checkArguments,
  entriesOf,
  isObject,
  memberAt,
  objectAt,
  toPointer,
} from "@recourse/faults/internal-do-not-use";
import { announcedLength } from "../edge/body.ts";
import type { HttpOrigin } from "../edge/http-origin.ts";
import { Refusal, type Route, type Schema } from "./route.ts";
import { object } from "./schemas.ts";
import { Values } from "./values.ts";

/** The most bytes of a body. */
export const MAX_BODY_BYTES = 64 * 1_024;
/** Times that PostgreSQL and JavaScript write alike. */
const LAST_TIME = Date.UTC(9999, 11, 31);

/** What a request leads to: a route, and what stands in its path and query. */
export interface Target {
  readonly route: Route;
  /** Parameters of the path, still encoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query, without its question mark. */
  readonly query: string;
}

type Members = Readonly<Record<string, unknown>>;

/** Reads and checks the parameters and the body of a request. */
export async function readRequest(origin: HttpOrigin, { route, params, query }: Target): Promise<Values | Refusal> {
  const path = decodePath(params);
  if (path === undefined) return new Refusal(protocol.bad_request.fault());
  const schemas = { ...route.params, ...route.query };
  const { members, repeated } = readQuery(query, route.query ?? {});
  const sent = { ...path, ...members };
  const issues = [...repeated, ...issuesOf(sent, object(schemas, Object.keys(route.query ?? {})))];
  if (issues.length > 0) return invalid(issues);
  const body = route.body === undefined ? {} : await readBody(origin, route.body);
  if (body instanceof Refusal) return body;
  const properties = objectAt(route.body, "properties");
  return new Values({ ...defaultsOf(schemas), ...sent, ...defaultsOf(properties), ...body });
}

function decodePath(params: Readonly<Record<string, string>>): Members | undefined {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}

/** The parameters of a query. Texts of whole numbers become numbers where the schema asks for them. */
function readQuery(query: string, schemas: Readonly<Record<string, Schema>>) {
  const members = new Map<string, unknown>();
  const repeated: Issue[] = [];
  for (const [name, text] of new URLSearchParams(query)) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (members.has(name) && schema !== undefined)
      repeated.push({ pointer: toPointer([name]), rule: "duplicate", expected: "one value" });
    const isNumber = schema?.["type"] === "integer" && /^-?\d{1,15}$/.test(text);
    members.set(name, isNumber ? Number(text) : text);
  }
  return { members: Object.fromEntries(members), repeated };
}

async function readBody(origin: HttpOrigin, schema: Schema): Promise<Members | Refusal> {
  const { head } = origin;
  const type = head.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  // The slot shows only what is a media type by its grammar.
  if (type !== "application/json")
    return new Refusal(content.invalid_type.fault(type === undefined ? {} : { contentType: type }));
  if ((announcedLength(head.header("content-length")) ?? 0) > MAX_BODY_BYTES) return TOO_LARGE;
  const bytes = await origin.readBody();
  if (!Buffer.isBuffer(bytes)) return new Refusal(bytes);
  const body = parse(bytes);
  if (body instanceof Refusal) return body;
  const issues = issuesOf(body, schema);
  if (issues.length > 0) return invalid(issues);
  return isObject(body) ? body : invalid([]);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return new Refusal(protocol.parse_error.fault());
  }
}

/** What is wrong by the schema. It takes any form of a time; those that are no time are found here. */
function issuesOf(value: unknown, schema: Schema): readonly Issue[] {
  const issues = checkArguments(value, schema);
  if (issues.length > 0) return issues;
  return entriesOf(objectAt(schema, "properties")).flatMap(([name, one]) => {
    const text = memberAt(value, name);
    if (memberAt(one, "format") !== "date-time" || typeof text !== "string") return [];
    const ms = Date.parse(text);
    if (ms >= 0 && ms < LAST_TIME) return [];
    return [{ pointer: toPointer([name]), rule: "range" as const, expected: "a date-time from 1970 to 9999" }];
  });
}

function defaultsOf(schemas: unknown): Members {
  const entries = entriesOf(schemas).flatMap(([name, schema]) => {
    const byDefault = memberAt(schema, "default");
    return byDefault === undefined ? [] : [[name, byDefault] as const];
  });
  return Object.fromEntries(entries);
}

function invalid(issues: readonly Issue[]): Refusal {
  return new Refusal(protocol.invalid_params.fault({}, { issues }));
}

const TOO_LARGE = new Refusal(content.message_too_large.fault({ maxSize: MAX_BODY_BYTES }));
