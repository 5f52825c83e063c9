import { FAULT_LIMITS, type Issue, unknownKeyIssue } from "@recourse/core";
import { isObject, memberAt, toPointer } from "@recourse/core/wire";
import type {
  Argument,
  BodyArgument,
  HttpMethod,
  Operation,
  ParameterArgument,
  PathPart,
} from "../operations/operation.ts";
import { isDotSegment } from "../operations/parameters.ts";
import { type ArgumentValue, writeRequestBody } from "./body.ts";
import { invalidArgument, type StyleProblem, writeParameter } from "./parameters.ts";

export interface ApiRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

type BuiltRequest =
  | { readonly ok: true; readonly request: ApiRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Builds the request of a call. Each argument is written into its own place of the request. A value that could leave its
 * place, or that the service could read differently, is an issue.
 */
export function buildRequest(
  operation: Operation,
  args: unknown,
  { server, maxBytes = Infinity }: { readonly server: URL; readonly maxBytes?: number | undefined },
): BuiltRequest {
  if (!isObject(args)) return { ok: false, issues: [{ pointer: "", rule: "type", expected: "an object" }] };
  const names = operation.arguments.map((argument) => argument.name);
  const issues: Issue[] = Object.keys(args)
    .filter((key) => !names.includes(key))
    .slice(0, FAULT_LIMITS.issues)
    .map((key) => unknownKeyIssue([], key, names));
  const refuse = (name: string, { rule, expected }: StyleProblem) =>
    issues.push({ pointer: name === "" ? "" : toPointer([name]), rule, expected });

  const parts: RequestParts = { path: new Map(), query: [], header: {}, cookie: [] };
  const given: ArgumentValue[] = [];
  for (const argument of operation.arguments) {
    const value = memberAt(args, argument.name);
    if (value === undefined || (value === null && argument.in !== "body")) {
      if (argument.required) issues.push({ pointer: toPointer([argument.name]), rule: "required" });
    } else if (argument.in === "body") given.push({ argument, value });
    else {
      const text = writeParameter(argument, value, otherQueryNames(operation, argument));
      if (!text.ok) refuse(argument.name, text.problem);
      else addPart(parts, argument, text.value);
    }
  }
  issues.push(...missingMembers(operation.arguments, given));
  const body = buildBody(operation, given, maxBytes);
  if (body?.ok === false) refuse(body.name, body.problem);
  if (issues.length > 0) return { ok: false, issues: issues.slice(0, FAULT_LIMITS.issues) };

  const segments = fillPath(operation.segments, parts.path);
  const url = segments === undefined ? undefined : joinUrl(server, segments, parts.query.join("&"));
  if (url === undefined) return { ok: false, issues: [{ pointer: "", rule: "format", expected: "plain path values" }] };
  const headers = {
    accept: operation.accept,
    ...parts.header,
    ...(parts.cookie.length > 0 && { cookie: parts.cookie.join("; ") }),
    ...(body?.ok === true && { "content-type": body.value.type }),
  };
  const sent = body?.ok === true && { body: body.value.data };
  return { ok: true, request: { method: operation.method, url, headers, ...sent } };
}

interface RequestParts {
  readonly path: Map<string, string>;
  readonly query: string[];
  readonly header: Record<string, string>;
  readonly cookie: string[];
}

function otherQueryNames({ arguments: all, credentialParameters }: Operation, { key }: Argument): ReadonlySet<string> {
  const others = all.flatMap((one) => (one.in === "query" && one.key !== key ? [one.key] : []));
  return new Set([...credentialParameters, ...others]);
}

function addPart(parts: RequestParts, argument: ParameterArgument, text: string): void {
  if (argument.in === "path") parts.path.set(argument.key, text);
  else if (text === "") return;
  else if (argument.in === "header") parts.header[argument.key.toLowerCase()] = text;
  else parts[argument.in].push(text);
}

/** Missing members that a body requires once it is there. Members that every call requires are reported before. */
function missingMembers(all: readonly Argument[], given: readonly ArgumentValue[]): readonly Issue[] {
  if (given.length === 0) return [];
  const isMissing = (one: Argument): one is BodyArgument =>
    one.in === "body" && one.requiredInBody && !one.required && !given.some(({ argument }) => argument === one);
  return all.filter(isMissing).map(({ name }) => ({ pointer: toPointer([name]), rule: "required" }));
}

function buildBody({ body, arguments: all }: Operation, given: readonly ArgumentValue[], maxBytes: number) {
  // A body that consists of members can be empty; a body that is one argument cannot.
  const canBeEmpty = body?.required === true && !all.some((one) => one.in === "body" && one.key === undefined);
  if (body === undefined || (given.length === 0 && !canBeEmpty)) return undefined;
  const written = writeRequestBody(body, given, maxBytes);
  if (!written.ok || Buffer.byteLength(written.value.data) <= maxBytes) return written;
  const name = given[0]?.argument.name ?? "";
  return { ...invalidArgument("length", `at most ${maxBytes} bytes in all`), name };
}

/** The base address of an API, or why the text is none. */
export function parseServerUrl(text: string): URL | { readonly problem: string } {
  const url = URL.parse(text);
  if (url === null) return { problem: "it is not absolute, so write it with https:// and a host" };
  const [problem] = [
    !/^https?:$/.test(url.protocol) && "it is not HTTP, so use https:// or http://",
    (url.username || url.password) !== "" && "it holds a name or a password, so pass them as `credential`",
    (url.search || url.hash) !== "" && "it has a query or a fragment, so remove them",
  ].filter((one) => one !== false);
  return problem === undefined ? url : { problem };
}

/**
 * The address of a request below a base address. Undefined when the URL parser reads the address differently from how it was
 * built.
 */
export function joinUrl(server: URL, segments: readonly string[], query: string): URL | undefined {
  const base = server.pathname.replace(/\/+$/, "");
  const path = [base, ...segments].join("/");
  const url = URL.parse(`${server.origin}${path}${query === "" ? "" : `?${query}`}`);
  if (url === null || url.origin !== server.origin || url.hash !== "") return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return url.pathname === path && (query === "") === (url.search === "") ? url : undefined;
}

/** Fills a path template with encoded values. Undefined when a filled segment is empty or means a directory. */
function fillPath(
  segments: readonly (readonly PathPart[])[],
  values: ReadonlyMap<string, string>,
): readonly string[] | undefined {
  const filled = segments.map((parts) =>
    parts.map((part) => ("text" in part ? encodeLiteral(part.text) : (values.get(part.parameter) ?? ""))).join(""),
  );
  const single = filled.flatMap((segment) => segment.split("/"));
  const isSafe = single.every(
    (segment, index) => !isDotSegment(segment) && (segment !== "" || index === single.length - 1),
  );
  return isSafe ? single : undefined;
}

/** Fixed text may already contain escapes. */
function encodeLiteral(text: string): string {
  return encodeURI(text).replaceAll("%25", "%");
}
