import { type Issue, unknownKey } from "@recourse/faults";
import { isJson, memberAt } from "../document/json.ts";
import type { Argument, BodyArgument, Method, Operation, ParameterArgument } from "../operations/operation.ts";
import { type Given, writeBody } from "./bodies/body.ts";
import { cookieValue, headerValue } from "./header.ts";
import { fillPath, pathValue } from "./path.ts";
import { queryValue } from "./query.ts";
import { type Problem, type Result, refused } from "./result.ts";
import { joinUrl } from "./url.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const MOST_ISSUES = 20;

/** A request without credentials. */
export interface HttpRequest {
  readonly method: Method;
  readonly url: URL;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** A request, or what is wrong with the arguments. */
export type BuiltRequest =
  | { readonly ok: true; readonly request: HttpRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** What building a request has to be told. */
export interface RequestOptions {
  /** The base address, from `serverUrl`. */
  readonly server: URL;
  /** The largest body; 10 MiB unless told. */
  readonly maxBytes?: number | undefined;
}

/**
 * Makes the request of a call. Arguments are written into their places and nowhere else: what could leave its place, or
 * mean something else to the reader, is an issue.
 */
export function buildRequest(operation: Operation, args: unknown, options: RequestOptions): BuiltRequest {
  if (!isJson(args)) return { ok: false, issues: [{ pointer: "", rule: "type", expected: "an object" }] };
  const names = operation.arguments.map((argument) => argument.name);
  const issues: Issue[] = Object.keys(args)
    .filter((key) => !names.includes(key))
    .slice(0, MOST_ISSUES)
    .map((key) => unknownKey([], key, names));
  const refuse = (name: string, { rule, expected }: Problem) =>
    issues.push({ pointer: name === "" ? "" : `/${name}`, rule, expected });

  const written = { path: new Map<string, string>(), query: [] as string[], header: {}, cookie: [] as string[] };
  const given: Given[] = [];
  for (const argument of operation.arguments) {
    const value = memberAt(args, argument.name);
    if (value === undefined || (value === null && argument.in !== "body")) {
      if (argument.required) issues.push({ pointer: `/${argument.name}`, rule: "required" });
    } else if (argument.in === "body") given.push({ argument, value });
    else {
      const text = write(operation, argument, value);
      if (!text.ok) refuse(argument.name, text.problem);
      else place(written, argument, text.value);
    }
  }
  issues.push(...missingIn(operation.arguments, given));
  const body = bodyFor(operation, given, options.maxBytes ?? MAX_BYTES);
  if (body?.ok === false) refuse(body.name, body.problem);
  if (issues.length > 0) return { ok: false, issues: issues.slice(0, MOST_ISSUES) };

  const segments = fillPath(operation.segments, written.path);
  const url = segments === undefined ? undefined : joinUrl(options.server, segments, written.query.join("&"));
  if (url === undefined) return { ok: false, issues: [{ pointer: "", rule: "format", expected: "plain path values" }] };
  const headers = {
    accept: operation.accept,
    ...written.header,
    ...(written.cookie.length > 0 && { cookie: written.cookie.join("; ") }),
    ...(body?.ok === true && { "content-type": body.content.type }),
  };
  return {
    ok: true,
    request: { method: operation.method, url, headers, ...(body?.ok === true && { body: body.content.data }) },
  };
}

interface Written {
  readonly path: Map<string, string>;
  readonly query: string[];
  readonly header: Record<string, string>;
  readonly cookie: string[];
}

function write(operation: Operation, argument: ParameterArgument, value: unknown): Result<string> {
  switch (argument.in) {
    case "path":
      return pathValue(argument, value);
    case "query":
      return present(argument, queryValue(value, { ...argument, taken: takenBeside(operation, argument) }));
    case "header":
      return present(argument, headerValue(argument, value));
    case "cookie":
      return present(argument, cookieValue(argument, value));
    default:
      return argument.in satisfies never;
  }
}

/** What is required must not vanish because its list is empty. */
function present({ required }: ParameterArgument, text: Result<string>): Result<string> {
  return required && text.ok && text.value === "" ? refused("length", "at least one value") : text;
}

function takenBeside({ arguments: all, withheld }: Operation, { key }: ParameterArgument): ReadonlySet<string> {
  return new Set([...withheld, ...all.flatMap((one) => (one.in === "query" && one.key !== key ? [one.key] : []))]);
}

function place(written: Written, argument: ParameterArgument, text: string): void {
  if (argument.in === "path") written.path.set(argument.key, text);
  else if (text === "") return;
  else if (argument.in === "header") written.header[argument.key.toLowerCase()] = text;
  else written[argument.in].push(text);
}

/** Members that a body needs once there is one; those that every call needs are told of already. */
function missingIn(all: readonly Argument[], given: readonly Given[]): readonly Issue[] {
  if (given.length === 0) return [];
  const isMissing = (one: Argument): one is BodyArgument =>
    one.in === "body" && one.needed && !one.required && !given.some(({ argument }) => argument === one);
  return all.filter(isMissing).map(({ name }) => ({ pointer: `/${name}`, rule: "required" }));
}

function bodyFor({ body, arguments: all }: Operation, given: readonly Given[], maxBytes: number) {
  // A body of members can be empty; one that is an argument cannot.
  const canBeEmpty = body?.required === true && !all.some((one) => one.in === "body" && one.key === undefined);
  if (body === undefined || (given.length === 0 && !canBeEmpty)) return undefined;
  const written = writeBody(body, given, maxBytes);
  if (!written.ok || Buffer.byteLength(written.content.data) <= maxBytes) return written;
  const problem = { rule: "length", expected: `at most ${maxBytes} bytes in all` } as const;
  return { ok: false, name: given[0]?.argument.name ?? "", problem } as const;
}
