// Two real servers behind a catalog.
import { ResourceTemplate as TemplateV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ResourceTemplate as TemplateV2 } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Upstream } from "../../../src/call/upstream.ts";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { createCatalog } from "../../../src/catalog/create-catalog.ts";
import { REFRESH_TIMES, type RefreshTimes } from "../../../src/catalog/upstream-lists.ts";
import type { ToolConfig } from "../../../src/config/types.ts";
import { recordingObserver } from "./calls.ts";
import { type Peer, peerV1, peerV2 } from "./peers.ts";

/** Short times, so that tests need not wait for the defaults. */
export const FAST: RefreshTimes = {
  ...REFRESH_TIMES,
  defaultMs: 100,
  minMs: 50,
  retryMs: 50,
  maxRetryMs: 200,
  demandMs: 20,
  noticeMs: 10,
  maxNoticeMs: 100,
};
/** Lists are read once and on demand only. */
const STILL: RefreshTimes = { ...REFRESH_TIMES, minMs: 3_000_000, demandMs: 0, noticeMs: 10 };

export interface CatalogWorld {
  readonly catalog: Catalog;
  readonly switches: readonly string[];
  readonly lines: readonly { readonly message: string; readonly facts: unknown }[];
}

const open: { close(): unknown }[] = [];

/** Closes what the test has opened. */
export async function closeAll(): Promise<void> {
  for (const one of open.splice(0).reverse()) await one.close();
}

export function kept<T extends { close(): unknown }>(one: T): T {
  open.push(one);
  return one;
}

export function catalogOf(
  upstreams: readonly Upstream[],
  { tools = [], times = STILL, before }: { tools?: readonly ToolConfig[]; times?: RefreshTimes; before?: Catalog } = {},
): CatalogWorld {
  const { observer, switches, lines } = recordingObserver();
  const config = { name: "test-gateway", tools };
  return { catalog: kept(createCatalog({ config, upstreams, observer, times, before })), switches, lines };
}

export const ruleOf = (rule: Partial<ToolConfig> & { readonly pattern: string }): ToolConfig => ({
  hidden: false,
  scopes: [],
  entitlement: undefined,
  cost: 1,
  ...rule,
});

/** SDK v2: two tools, a prompt, a resource, a template with completion. */
export async function shopPeer(resources: object = {}): Promise<Awaited<ReturnType<typeof peerV2>>> {
  return kept(
    await peerV2(
      (server) => {
        const input = { inputSchema: z.object({ item: z.string() }) };
        server.registerTool("buy", { ...input, annotations: { readOnlyHint: false } }, () => ({ content: [] }));
        server.registerTool("look", { ...input, annotations: { readOnlyHint: true, idempotentHint: true } }, () => ({
          content: [],
        }));
        server.registerPrompt("greet", { description: "Greets" }, () => ({ messages: [] }));
        server.registerResource("terms", "shop://terms", {}, () => ({ contents: [] }));
        server.registerResource("item", new TemplateV2("shop://items/{id}", { list: undefined }), {}, () => ({
          contents: [],
        }));
      },
      { resources },
    ),
  );
}

/** SDK v1: one tool with the same name as one of the shop, a prompt, a resource with the same URI. */
export async function crmPeer(): Promise<Peer> {
  return kept(
    await peerV1((server) => {
      server.registerTool("look", { inputSchema: { id: z.string() } }, () => ({ content: [] }));
      server.registerPrompt("greet", {}, () => ({ messages: [] }));
      server.registerResource("terms", "shop://terms", {}, () => ({ contents: [] }));
      server.registerResource("people", "crm://people", {}, () => ({ contents: [] }));
      server.registerResource("person", new TemplateV1("crm://people/{id}", { list: undefined }), {}, () => ({
        contents: [],
      }));
    }),
  );
}
