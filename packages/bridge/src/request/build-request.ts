import { type Issue, unknownKeyIssue } from "@recourse/faults";
import { FAULT_LIMITS, isObject, memberAt, toPointer } from "@recourse/faults/internal-do-not-use";
import type { Argument, BodyArgument, HttpMethod, Operation, ParameterArgument } from "../operations/operation.ts";
import { type GivenArgument, writeBody } from "./body.ts";
import { type ArgumentProblem, invalid, type WriteResult } from "./flat-value.ts";
import { writeCookieValue, writeHeaderValue, writePathValue, writeQueryValue } from "./parameters.ts";
import { fillPath, joinUrl } from "./url.ts";

const DEFAULT_MAX_BODY_BYTES = 10 * 1024 * 1024;

/** A request without credentials. */
export interface HttpRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** A request, or the arguments that cannot be sent. */
export type BuiltRequest =
  | { readonly ok: true; readonly request: HttpRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Options for building a request. */
export interface RequestOptions {
  /** The base address, from `parseServerUrl`. */
  readonly server: URL;
  /**
   * The size limit of a body, in bytes.
   *
   * @default 10 MiB
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Builds the request of a call. Each argument is written into its own place of the request. A value that could leave its
 * place, or that the service could read differently, is an issue.
 */
export function buildRequest(operation: Operation, args: unknown, options: RequestOptions): BuiltRequest {
  if (!isObject(args)) return { ok: false, issues: [{ pointer: "", rule: "type", expected: "an object" }] };
  const names = operation.arguments.map((argument) => argument.name);
  const issues: Issue[] = Object.keys(args)
    .filter((key) => !names.includes(key))
    .slice(0, FAULT_LIMITS.issues)
    .map((key) => unknownKeyIssue([], key, names));
  const refuse = (name: string, { rule, expected }: ArgumentProblem) =>
    issues.push({ pointer: name === "" ? "" : toPointer([name]), rule, expected });

  const parts: RequestParts = { path: new Map(), query: [], header: {}, cookie: [] };
  const given: GivenArgument[] = [];
  for (const argument of operation.arguments) {
    const value = memberAt(args, argument.name);
    if (value === undefined || (value === null && argument.in !== "body")) {
      if (argument.required) issues.push({ pointer: toPointer([argument.name]), rule: "required" });
    } else if (argument.in === "body") given.push({ argument, value });
    else {
      const text = writeParameter(operation, argument, value);
      if (!text.ok) refuse(argument.name, text.problem);
      else addPart(parts, argument, text.value);
    }
  }
  issues.push(...missingMembers(operation.arguments, given));
  const body = buildBody(operation, given, options.maxBytes ?? DEFAULT_MAX_BODY_BYTES);
  if (body?.ok === false) refuse(body.name, body.problem);
  if (issues.length > 0) return { ok: false, issues: issues.slice(0, FAULT_LIMITS.issues) };

  const segments = fillPath(operation.segments, parts.path);
  const url = segments === undefined ? undefined : joinUrl(options.server, segments, parts.query.join("&"));
  if (url === undefined) return { ok: false, issues: [{ pointer: "", rule: "format", expected: "plain path values" }] };
  const headers = {
    accept: operation.accept,
    ...parts.header,
    ...(parts.cookie.length > 0 && { cookie: parts.cookie.join("; ") }),
    ...(body?.ok === true && { "content-type": body.content.type }),
  };
  return {
    ok: true,
    request: { method: operation.method, url, headers, ...(body?.ok === true && { body: body.content.data }) },
  };
}

/** The written parameters of a request, by location. */
interface RequestParts {
  readonly path: Map<string, string>;
  readonly query: string[];
  readonly header: Record<string, string>;
  readonly cookie: string[];
}

function writeParameter(operation: Operation, argument: ParameterArgument, value: unknown): WriteResult<string> {
  switch (argument.in) {
    case "path":
      return writePathValue(argument, value);
    case "query":
      return checkPresent(
        argument,
        writeQueryValue(value, { ...argument, taken: otherQueryNames(operation, argument) }),
      );
    case "header":
      return checkPresent(argument, writeHeaderValue(argument, value));
    case "cookie":
      return checkPresent(argument, writeCookieValue(argument, value));
    default:
      return argument.in satisfies never;
  }
}

/** A required parameter must not vanish because its list is empty. */
function checkPresent({ required }: ParameterArgument, text: WriteResult<string>): WriteResult<string> {
  return required && text.ok && text.value === "" ? invalid("length", "at least one value") : text;
}

function otherQueryNames(
  { arguments: all, credentialParameters }: Operation,
  { key }: ParameterArgument,
): ReadonlySet<string> {
  return new Set([
    ...credentialParameters,
    ...all.flatMap((one) => (one.in === "query" && one.key !== key ? [one.key] : [])),
  ]);
}

function addPart(parts: RequestParts, argument: ParameterArgument, text: string): void {
  if (argument.in === "path") parts.path.set(argument.key, text);
  else if (text === "") return;
  else if (argument.in === "header") parts.header[argument.key.toLowerCase()] = text;
  else parts[argument.in].push(text);
}

/** Missing members that a body requires once it is there. Members that every call requires are reported before. */
function missingMembers(all: readonly Argument[], given: readonly GivenArgument[]): readonly Issue[] {
  if (given.length === 0) return [];
  const isMissing = (one: Argument): one is BodyArgument =>
    one.in === "body" && one.requiredInBody && !one.required && !given.some(({ argument }) => argument === one);
  return all.filter(isMissing).map(({ name }) => ({ pointer: toPointer([name]), rule: "required" }));
}

function buildBody({ body, arguments: all }: Operation, given: readonly GivenArgument[], maxBytes: number) {
  // A body that consists of members can be empty; a body that is one argument cannot.
  const canBeEmpty = body?.required === true && !all.some((one) => one.in === "body" && one.key === undefined);
  if (body === undefined || (given.length === 0 && !canBeEmpty)) return undefined;
  const written = writeBody(body, given, maxBytes);
  if (!written.ok || Buffer.byteLength(written.content.data) <= maxBytes) return written;
  const problem = { rule: "length", expected: `at most ${maxBytes} bytes in all` } as const;
  return { ok: false, name: given[0]?.argument.name ?? "", problem } as const;
}
