import { type AnyReason, defineReason } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import { DOMAIN_NAME, libraryReason, MAX_TIMER_MS } from "@recourse/faults/internal-do-not-use";
import { declares } from "@recourse/faults/server";
import { type CredentialUse, chooseCredentials } from "../credentials/choose.ts";
import type { Document } from "../document/document.ts";
import type { JsonSchema } from "../document/schema/convert.ts";
import { isHeaderName } from "../operations/headers.ts";
import { isToolName } from "../operations/names.ts";
import type { Annotations, Operation } from "../operations/operation.ts";
import { readOperations } from "../operations/read-operations.ts";
import {
  type OperationsReport,
  operationLabel,
  type SkippedOperation,
  skippedOperation,
} from "../operations/report.ts";
import { readSecuritySchemes } from "../operations/security.ts";
import type { Errors, ForeignText } from "../reply/fault.ts";
import type { OpenapiOptions, OperationOptions } from "./options.ts";
import { allowedServer } from "./server.ts";

/** A tool of an API. */
export interface Tool {
  /** The name of the tool. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The schema of its arguments. */
  readonly inputSchema: JsonSchema;
  /** Hints for hosts. */
  readonly annotations: Annotations;
  /** The `_meta` that lists the reasons it may fail with. */
  readonly declares: Readonly<Record<string, readonly string[]>>;
  /** The operation that it calls. */
  readonly operation: Operation;
}

/** A tool with everything that a call needs. */
export interface CallableTool extends Tool {
  readonly options: OperationOptions;
  readonly server: URL;
  /** The credentials to send; undefined when the given ones do not satisfy the document. */
  readonly uses: readonly CredentialUse[] | undefined;
  /** Whose credential is sent. */
  readonly credential: "own" | "caller";
  readonly foreignText: ForeignText;
  /** Whether faults in bodies are believed as a whole. */
  readonly speaksFaults: boolean;
  /** The author's reasons by status: those of the options, else those in the document. */
  readonly errors: Errors;
  /** The header for an idempotency key. */
  readonly idempotencyHeader: string | undefined;
}

/** The parts of a tool that its options do not change. */
export type ToolParts = Pick<CallableTool, "operation" | "server" | "uses" | "foreignText" | "speaksFaults">;

/** How the tools differ from the document, and which of them have no credential. */
export interface BridgeReport extends OperationsReport {
  /** Tools whose security schemes none of the given credentials satisfies. Their calls fail. */
  readonly uncredentialed: readonly string[];
}

/** Reads the parts of all tools from a document. */
export function readToolParts(
  document: Document,
  server: URL,
  options: OpenapiOptions,
): { readonly parts: readonly ToolParts[]; readonly report: BridgeReport } {
  const { operations, report } = readOperations(document, { prefix: options.prefix });
  const included = operations.filter((operation) => options.include?.(operation) ?? true);
  const setup = {
    credentials: options.credential,
    schemes: readSecuritySchemes(document),
    isDeclared: operations.some(({ security }) => security.length > 0),
  };
  const parts: ToolParts[] = [];
  const notAllowed: SkippedOperation[] = [];
  for (const operation of included) {
    const at = operation.server === undefined ? server : allowedServer(operation.server, options.servers ?? []);
    if (at === undefined) notAllowed.push(skippedOperation(operationLabel(operation.method, operation.path), "server"));
    else {
      const uses = chooseCredentials(operation, setup);
      const { foreignText = "public", speaksFaults = false } = options;
      parts.push({ operation, server: at, uses, foreignText, speaksFaults });
    }
  }
  const uncredentialed = parts.filter(({ uses }) => uses === undefined).map(({ operation }) => operation.name);
  return { parts, report: { ...report, skipped: [...report.skipped, ...notAllowed], uncredentialed } };
}

/** The tools of one API. A change counts for calls and for servers that are registered afterwards. */
export class ToolSet {
  readonly #tools: CallableTool[];
  readonly #api: string | undefined;

  constructor(parts: readonly ToolParts[], api: string | undefined) {
    this.#api = api;
    this.#tools = parts.map((part) => createTool(part, {}, api));
  }

  /** All tools that are not hidden. */
  get visible(): readonly CallableTool[] {
    return this.#tools.filter(({ options }) => options.hidden !== true);
  }

  /** The visible tool of a name. */
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
    const changed = createTool(tool, { ...tool.options, ...options }, this.#api);
    if (this.#tools.some((other) => other !== tool && other.name === changed.name))
      throw new TypeError(`there would be two tools of the name ${changed.name}: choose another \`name\``);
    this.#tools[index] = changed;
  }
}

function createTool(parts: ToolParts, options: OperationOptions, api: string | undefined): CallableTool {
  const { operation, server, uses } = parts;
  const { name = operation.name, idempotencyHeader, timeoutMs } = options;
  const errors = { ...reasonsInDocument(operation, api), ...options.errors };
  if (!isToolName(name))
    throw new TypeError(`${JSON.stringify(name)} cannot be the name of a tool: use 1 to 64 letters, digits, _ and -`);
  if (typeof idempotencyHeader === "string" && !isHeaderName(idempotencyHeader))
    throw new TypeError("idempotencyHeader is not the name of a header: pass a name such as Idempotency-Key");
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS))
    throw new TypeError(`timeoutMs must be a number of ms above zero, and at most ${MAX_TIMER_MS}`);
  const credential = uses?.some((use) => use.credential.owner === "caller") === true ? "caller" : "own";
  return {
    name,
    description: options.description ?? operation.description,
    inputSchema: operation.inputSchema,
    annotations: { ...operation.annotations, ...options.annotations },
    declares: declares(...reasonsOfOperation(operation, errors, credential)),
    operation,
    options,
    server,
    uses,
    credential,
    errors,
    foreignText: options.foreignText ?? parts.foreignText,
    speaksFaults: parts.speaksFaults,
    idempotencyHeader: idempotencyHeader === false ? undefined : (idempotencyHeader ?? operation.idempotencyHeader),
  };
}

/** The domain of reasons in a document whose API has no name that can be a domain. */
const DEFAULT_DOMAIN = "api";

/** The reasons that the document declares for its statuses. */
function reasonsInDocument({ responses }: Operation, api = ""): Errors {
  const name = api.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  const domain = DOMAIN_NAME.test(name) ? name : DEFAULT_DOMAIN;
  const reasons = responses.flatMap(({ status, error }) => {
    if (error === undefined) return [];
    const { kind, name: reason, text, retryable } = error;
    const details = retryable === undefined ? {} : { retry: { allowed: retryable } };
    return [[status, defineReason(`${domain}/${reason}`, { kind, text, slots: {}, details })] as const];
  });
  return Object.fromEntries(reasons) as Errors;
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
