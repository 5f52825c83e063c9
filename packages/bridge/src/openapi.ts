import { createSecretFilter } from "@recourse/core";
import { tool as toolReasons } from "@recourse/core/reasons";
import { type GuardOptions, stderrSink } from "@recourse/core/server";
import { toClock } from "@recourse/core/wire";
import { type Api, type CallOutcome, callApiTool } from "./api/call.ts";
import type { OpenapiOptions, OperationCallOptions, OperationOptions } from "./api/options.ts";
import { registerApi, reportFailure } from "./api/register.ts";
import { type BridgeReport, chooseServer, readToolParts, type Tool, ToolSet } from "./api/tools.ts";
import { allCredentials, registerCredentials } from "./credentials/credential.ts";
import {
  type Document,
  DocumentError,
  type DocumentSource,
  loadDocument,
  serverAddresses,
} from "./document/document.ts";
import { createNetwork, type Network } from "./network/create-network.ts";

/** An API as tools. */
export interface Bridge {
  /** The tools that are not hidden. */
  readonly tools: readonly Tool[];
  /** How the tools differ from the document, and which of them have no credential. */
  readonly report: BridgeReport;
  /**
   * Adds options to an operation, named by its `operationId`, its tool, or as `GET /path`. Call it before `register`. Throws
   * a TypeError or RangeError for an unknown operation or options that cannot be used.
   */
  operation(id: string, options: OperationOptions): Bridge;
  /** Calls a tool. It never rejects. */
  call(name: string, args?: unknown, options?: OperationCallOptions): Promise<CallOutcome>;
  /**
   * Registers the tools on an `McpServer` of SDK 1 or 2, and returns the server. A server that is not guarded yet is guarded
   * with the options.
   */
  register<T extends object>(server: T, options?: GuardOptions): T;
  /** Refuses new calls, waits for the running ones, and forgets the credentials. */
  close(): Promise<void>;
}

/**
 * Makes tools of an API from its OpenAPI 3.0 or 3.1 document.
 *
 * It rejects with a `DocumentError` if the document cannot be used, and with a TypeError or RangeError if an option
 * cannot.
 *
 * @example
 * const crm = await openapi("./crm.yaml", { credential: bearer(process.env.CRM_TOKEN ?? "") });
 * crm.operation("createClient", { idempotencyHeader: "Idempotency-Key" });
 * const server = crm.register(new McpServer({ name: "crm", version: "1.0.0" }));
 */
export async function openapi(source: DocumentSource, options: OpenapiOptions = {}): Promise<Bridge> {
  const network = createNetwork(options.network);
  try {
    const { document, fetchedFrom } = await openDocument(source, network, options.signal);
    const server = chooseServer({
      server: options.server,
      allowed: options.servers ?? [],
      declared: serverAddresses(document.root),
      fetchedFrom,
    });
    const { parts, report } = readToolParts(document, server, options);
    const toolSet = new ToolSet(parts);
    const credentials = allCredentials(options.credential);
    const secrets = credentials.flatMap((credential) => credential.secrets);
    const releaseSecrets = registerCredentials(secrets);
    const { now } = toClock(options.testing);
    const { sink = stderrSink(), telemetry, name } = options;
    const api: Api = { network, name, secrets: createSecretFilter(secrets), telemetry, sink, now };
    const bridge: Bridge = {
      report,
      get tools() {
        return toolSet.visible;
      },
      operation(id, operationOptions) {
        toolSet.configure(id, operationOptions);
        return bridge;
      },
      async call(toolName, args, callOptions = {}) {
        const tool = toolSet.find(toolName);
        if (tool === undefined) return { ok: false, fault: toolReasons.not_found.fault({ tool: toolName }) };
        const outcome = await callApiTool(api, tool, args, callOptions);
        return outcome.ok ? outcome : { ...outcome, fault: reportFailure(tool.name, outcome, api) };
      },
      register(mcpServer, guardOptions = {}) {
        const guarded = { sink, ...(telemetry !== undefined && { telemetry }), ...guardOptions };
        registerApi(mcpServer, api, toolSet.visible, guarded);
        return mcpServer;
      },
      async close() {
        await network.close();
        for (const credential of credentials) credential.close?.();
        releaseSecrets();
      },
    };
    return bridge;
  } catch (error) {
    await network.close();
    throw error;
  }
}

/** Loads a document. Fetching it follows the same rules as every other request. Throws a `DocumentError`. */
async function openDocument(
  source: DocumentSource,
  network: Network,
  signal: AbortSignal | undefined,
): Promise<{ readonly document: Document; readonly fetchedFrom: URL | undefined }> {
  let fetchedFrom: URL | undefined;
  const fetchText = async (url: URL) => {
    fetchedFrom = url;
    const headers = { accept: "application/json, application/yaml, text/yaml, */*;q=0.1" };
    const result = await network.send({ method: "GET", url, headers }, { signal });
    if (!result.ok) throw result.failure.cause;
    const { status, bodyError, body } = result.reply;
    if (status === 200 && bodyError === "too_large") throw new DocumentError("over_limit");
    if (status !== 200 || bodyError !== undefined) throw new DocumentError("unreadable");
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  };
  return { document: await loadDocument(source, fetchText, signal), fetchedFrom };
}
