import { createSecretFilter, protect, tool as toolReasons } from "@recourse/faults";
import type { GuardOptions } from "@recourse/faults/server";
import { createRoutes } from "./answer/routes.ts";
import { createAlerts } from "./api/alerts.ts";
import { type Api, callTool, type Outcome } from "./api/call.ts";
import { documentFrom } from "./api/document-from.ts";
import type { CallOptions, OpenapiOptions, OperationOptions } from "./api/options.ts";
import { chooseServer } from "./api/server.ts";
import { type BridgeReport, toolPartsOf } from "./api/tool-parts.ts";
import { type Tool, Toolbox } from "./api/tools.ts";
import { allCredentials } from "./credentials/choose.ts";
import type { DocumentSource } from "./document/load.ts";
import { serversIn } from "./document/servers.ts";
import { createNetwork } from "./network/network.ts";
import { registerTools } from "./register/register.ts";

/** An API as tools. */
export interface Bridge {
  /** The tools, as they would be listed now. */
  readonly tools: readonly Tool[];
  /** What was renamed, skipped and changed on the way from the document, and what has no credential. */
  readonly report: BridgeReport;
  /** Adds what its author knows about an operation, named as in the document or as `GET /path`; call it before `register`. */
  operation(id: string, options: OperationOptions): Bridge;
  /** Calls a tool; never rejects. */
  call(name: string, args?: unknown, options?: CallOptions): Promise<Outcome>;
  /** Registers the tools on an `McpServer` of SDK 1 or 2, and guards it if it is not guarded yet; gives it back. */
  register<T extends object>(server: T, options?: GuardOptions): T;
  /** Takes no more calls, waits for those under way, and forgets the credentials. */
  close(): Promise<void>;
}

/** A guard reports what failed here, which is an error whatever else it is. */
function guardSink(sink: OpenapiOptions["sink"]): Pick<GuardOptions, "sink"> {
  return sink === undefined ? {} : { sink: (incident) => sink({ ...incident, severity: "error" }) };
}

/** Makes tools of an API that an OpenAPI document describes; rejects when the document or the options cannot be used. */
export async function openapi(source: DocumentSource, options: OpenapiOptions = {}): Promise<Bridge> {
  const network = createNetwork(options.network);
  try {
    const { document, fetchedFrom } = await documentFrom(source, network, options.signal);
    const server = chooseServer({
      server: options.server,
      allowed: options.servers ?? [],
      declared: serversIn(document.root),
      fetchedFrom,
    });
    const { parts, report } = toolPartsOf(document, server, options);
    const toolbox = new Toolbox(parts, options.name);
    const credentials = allCredentials(options.credential);
    const known = credentials.flatMap(({ secrets }) => secrets);
    const release = protect(...known);
    const now = options.now ?? Date.now;
    const api: Api = {
      network,
      name: options.name,
      routes: createRoutes(() => toolbox.visible.map(({ name, operation }) => ({ ...operation, name })), server),
      alerts: createAlerts(options.sink, now),
      secrets: createSecretFilter(known),
      now,
    };
    const bridge: Bridge = {
      report,
      get tools() {
        return toolbox.visible;
      },
      operation(id, more) {
        toolbox.change(id, more);
        return bridge;
      },
      async call(name, args, more = {}) {
        const tool = toolbox.find(name);
        if (tool === undefined) return { ok: false, fault: toolReasons.not_found.fault({ tool: name }) };
        return callTool(api, tool, args, more);
      },
      register(target, more = {}) {
        registerTools(target, {
          tools: toolbox.visible,
          call: (tool, args, about) => callTool(api, tool, args, about),
          guard: { ...guardSink(options.sink), ...more },
          secrets: api.secrets,
          relayed: api.alerts.relayed,
        });
        return target;
      },
      async close() {
        await network.close();
        for (const credential of credentials) credential.close?.();
        release();
      },
    };
    return bridge;
  } catch (error) {
    await network.close();
    throw error;
  }
}
