import type { AnyReason } from "@recourse/core";
import { http } from "@recourse/core/dialects";
import { libraryReason } from "@recourse/core/reasons";
import { declares } from "@recourse/core/server";
import { checkNumber, MAX_TIMER_MS } from "@recourse/core/wire";
import { type CredentialUse, chooseCredentials } from "../credentials/credential.ts";
import type { Document } from "../document/document.ts";
import type { JsonSchemaObject } from "../document/schema-keywords.ts";
import { isHeaderName } from "../operations/headers.ts";
import { isToolName } from "../operations/names.ts";
import type { Operation } from "../operations/operation.ts";
import { readOperations } from "../operations/read-operations.ts";
import {
  type OperationsReport,
  operationLabel,
  type SkippedOperation,
  skippedOperation,
} from "../operations/report.ts";
import { readSecuritySchemes } from "../operations/security.ts";
import type { Errors, ServiceText } from "../reply/fault.ts";
import { parseServerUrl } from "../request/build-request.ts";
import type { Annotations } from "../sdk.ts";
import type { OpenapiOptions, OperationOptions } from "./options.ts";

/** A tool of an API. */
export interface Tool {
  /** The name of the tool. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The schema of its arguments. */
  readonly inputSchema: JsonSchemaObject;
  /** Hints for hosts. */
  readonly annotations: Annotations;
  /** The `_meta` that lists the reasons it may fail with. */
  readonly declares: Readonly<Record<string, readonly string[]>>;
  /** The operation that it calls. */
  readonly operation: Operation;
}

export interface CallableTool extends Tool {
  readonly options: OperationOptions;
  readonly server: URL;
  /** The credentials to send; undefined when the given ones do not satisfy the document. */
  readonly uses: readonly CredentialUse[] | undefined;
  readonly credential: "own" | "caller";
  readonly foreignText: ServiceText;
  readonly speaksFaults: boolean;
  readonly errors: Errors;
  readonly idempotencyHeader: string | undefined;
}

/** The parts of a tool that its options do not change. */
type ToolParts = Pick<CallableTool, "operation" | "server" | "uses" | "foreignText" | "speaksFaults">;

/** How the tools differ from the document, and which of them have no credential. */
export interface BridgeReport extends OperationsReport {
  /** Tools whose security schemes none of the given credentials satisfies. Their calls fail. */
  readonly uncredentialed: readonly string[];
}

export function readToolParts(
  document: Document,
  server: URL,
  options: OpenapiOptions,
): { readonly parts: readonly ToolParts[]; readonly report: BridgeReport } {
  const { operations, report } = readOperations(document, options.prefix);
  const included = operations.filter((operation) => options.include?.(operation) ?? true);
  const setup = {
    credentials: options.credential,
    schemes: readSecuritySchemes(document),
    isDeclared: operations.some(({ security }) => security.length > 0),
  };
  const { foreignText = "public", speaksFaults = false, servers = [] } = options;
  const parts: ToolParts[] = [];
  const notAllowed: SkippedOperation[] = [];
  for (const operation of included) {
    const at = operation.server === undefined ? server : allowedServer(operation.server, servers);
    const uses = chooseCredentials(operation, setup);
    if (at === undefined) notAllowed.push(skippedOperation(operationLabel(operation.method, operation.path), "server"));
    else parts.push({ operation, server: at, uses, foreignText, speaksFaults });
  }
  const uncredentialed = parts.filter(({ uses }) => uses === undefined).map(({ operation }) => operation.name);
  return { parts, report: { ...report, skipped: [...report.skipped, ...notAllowed], uncredentialed } };
}

/** The tools of one API. A change counts for calls and for servers that are registered afterwards. */
export class ToolSet {
  readonly #tools: CallableTool[];

  constructor(parts: readonly ToolParts[]) {
    this.#tools = parts.map((part) => createTool(part, {}));
  }

  get visible(): readonly CallableTool[] {
    return this.#tools.filter(({ options }) => options.hidden !== true);
  }

  find(name: string): CallableTool | undefined {
    return this.visible.find((tool) => tool.name === name);
  }

  /** Adds options to an operation, named by its `operationId`, its tool, or its method and path. */
  configure(id: string, options: OperationOptions): void {
    const index = this.#tools.findIndex(({ name, operation }) =>
      [operation.id, name, operation.name, `${operation.method} ${operation.path}`].includes(id),
    );
    const tool = this.#tools[index];
    if (tool === undefined) {
      const names = "use an operationId of the document, the name of a tool, or method and path";
      throw new TypeError(`there is no operation ${JSON.stringify(id)} in this API: ${names}`);
    }
    const changed = createTool(tool, { ...tool.options, ...options });
    if (this.#tools.some((other) => other !== tool && other.name === changed.name))
      throw new TypeError(`there would be two tools of the name ${changed.name}: choose another \`name\``);
    this.#tools[index] = changed;
  }
}

function createTool(parts: ToolParts, options: OperationOptions): CallableTool {
  const { operation, uses } = parts;
  const { name = operation.name, errors = {}, idempotencyHeader = operation.idempotencyHeader } = options;
  if (!isToolName(name))
    throw new TypeError(`${JSON.stringify(name)} cannot be the name of a tool: use 1 to 64 letters, digits, _ and -`);
  if (typeof idempotencyHeader === "string" && !isHeaderName(idempotencyHeader))
    throw new TypeError("idempotencyHeader is not the name of a header: pass a name such as Idempotency-Key");
  checkNumber("deadlineMs", options.deadlineMs, { min: 1, max: MAX_TIMER_MS });
  const credential = uses?.some((use) => use.credential.owner === "caller") === true ? "caller" : "own";
  return {
    ...parts,
    name,
    description: options.description ?? operation.description,
    inputSchema: operation.inputSchema,
    annotations: { ...operation.annotations, ...options.annotations },
    declares: declares(...reasonsOfOperation(operation, errors, credential)),
    options,
    credential,
    errors,
    foreignText: options.foreignText ?? parts.foreignText,
    idempotencyHeader: idempotencyHeader === false ? undefined : idempotencyHeader,
  };
}

/** The reasons that an operation may fail with, by the statuses in its document and the reasons of its author. */
function reasonsOfOperation(operation: Operation, errors: Errors, credential: "own" | "caller"): readonly AnyReason[] {
  const statuses = operation.responses.map(({ status }) => Number(status)).filter((status) => status >= 400);
  const found = statuses.flatMap((status): AnyReason | readonly never[] => {
    const fault = http.decode({ status, headers: {} }, { credential, httpMethod: operation.method });
    return errors[status] ?? libraryReason(fault?.reason ?? "") ?? [];
  });
  const own = Object.values(errors).filter((reason) => reason !== undefined);
  return [...new Map([...found, ...own].map((reason) => [reason.id, reason])).values()];
}

export interface ServerChoice {
  readonly server: string | URL | undefined;
  readonly allowed: readonly string[];
  readonly declared: readonly string[];
  /** Where the document was fetched from; undefined when the operator passed it directly. */
  readonly fetchedFrom: URL | undefined;
}

/** The base address of an API. Throws if no address may be used. */
export function chooseServer({ server, allowed, declared, fetchedFrom }: ServerChoice): URL {
  if (server !== undefined) return baseUrl(String(server));
  const [first] = declared;
  if (first === undefined) throw new TypeError("the document names no server: pass its address as `server`");
  const address = fetchedFrom === undefined ? first : (URL.parse(first, fetchedFrom.href)?.href ?? first);
  const url = baseUrl(address);
  // A document from the network must not decide where credentials go.
  if (fetchedFrom === undefined || url.origin === fetchedFrom.origin || isAllowed(url, allowed)) return url;
  throw new TypeError(
    "the server in the document is of another origin: pass its address as `server`, or add it to `servers`",
  );
}

/** The address of an operation with a server of its own, if that is allowed. */
export function allowedServer(address: string, allowed: readonly string[]): URL | undefined {
  const url = parseServerUrl(address);
  return url instanceof URL && isAllowed(url, allowed) ? url : undefined;
}

function baseUrl(address: string): URL {
  const url = parseServerUrl(address);
  if (url instanceof URL) return url;
  throw new TypeError(`the address of the server cannot be used: ${url.problem}`);
}

function isAllowed(url: URL, allowed: readonly string[]): boolean {
  const withoutSlash = (href: string) => href.replace(/\/+$/, "");
  return allowed.some(
    (one) => withoutSlash(URL.parse(one)?.href ?? "") === withoutSlash(url.href) || one === url.origin,
  );
}
