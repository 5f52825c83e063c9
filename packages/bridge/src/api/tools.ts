import { declares } from "@recourse/faults/server";
import type { Errors } from "../answer/errors.ts";
import type { TextMode } from "../answer/reply-fault.ts";
import type { Use } from "../credentials/choose.ts";
import type { JsonSchema } from "../document/schema/walk.ts";
import { isHeaderName } from "../operations/headers.ts";
import type { Annotations, Operation } from "../operations/operation.ts";
import { declaredReasons, documentErrors } from "./declared.ts";
import type { OperationOptions } from "./options.ts";

/** A tool of an API. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: Annotations;
  /** The `_meta` that lists the reasons which it may fail with. */
  readonly declares: Readonly<Record<string, readonly string[]>>;
  readonly operation: Operation;
}

/** A tool with all that a call of it needs. */
export interface CallableTool extends Tool {
  readonly options: OperationOptions;
  readonly server: URL;
  /** The credentials to send; undefined when none fits. */
  readonly uses: readonly Use[] | undefined;
  /** Whose the credential is. */
  readonly credential: "own" | "caller";
  readonly text: TextMode;
  /** The author's reasons by status: those of the options, else those in the document. */
  readonly errors: Errors;
  /** The header for an idempotency key. */
  readonly keyHeader: string | undefined;
}

/** What tools are made of. */
export type ToolParts = Pick<CallableTool, "operation" | "server" | "uses" | "text">;

/** The tools of one API; what an author changes counts for calls and for servers that get the tools afterwards. */
export class Toolbox {
  readonly #tools: CallableTool[];
  readonly #api: string | undefined;

  constructor(parts: readonly ToolParts[], api: string | undefined) {
    this.#api = api;
    this.#tools = parts.map((part) => toolOf(part, {}, api));
  }

  /** All that are not hidden. */
  get visible(): readonly CallableTool[] {
    return this.#tools.filter(({ options }) => options.hidden !== true);
  }

  /** The tool of a name. */
  find(name: string): CallableTool | undefined {
    return this.visible.find((tool) => tool.name === name);
  }

  /** Adds what an author knows about an operation, which is named as in the document, by its tool, or by method and path. */
  change(id: string, options: OperationOptions): void {
    const index = this.#tools.findIndex(({ name, operation }) =>
      [operation.id, name, operation.name, `${operation.method} ${operation.path}`].includes(id),
    );
    const tool = this.#tools[index];
    if (tool === undefined) throw new TypeError(`there is no operation ${JSON.stringify(id)} in this API`);
    const changed = toolOf(tool, { ...tool.options, ...options }, this.#api);
    if (this.#tools.some((other) => other !== tool && other.name === changed.name))
      throw new TypeError(`there are two tools of the name ${changed.name}`);
    this.#tools[index] = changed;
  }
}

function toolOf(parts: ToolParts, options: OperationOptions, api: string | undefined): CallableTool {
  const { operation, server, uses } = parts;
  const { name = operation.name, key } = options;
  const errors = { ...documentErrors(operation, api), ...options.errors };
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) throw new TypeError("a tool is named with 1 to 64 letters, digits, _ and -");
  if (typeof key === "string" && !isHeaderName(key)) throw new TypeError("the key needs the name of a header");
  const credential = uses?.some((use) => use.credential.owner === "caller") === true ? "caller" : "own";
  return {
    name,
    description: options.description ?? operation.description,
    inputSchema: operation.inputSchema,
    annotations: { ...operation.annotations, ...options.annotations },
    declares: declares(...declaredReasons(operation, errors, credential)),
    operation,
    options,
    server,
    uses,
    credential,
    errors,
    text: options.text ?? parts.text,
    keyHeader: key === false ? undefined : (key ?? operation.keyHeader),
  };
}
