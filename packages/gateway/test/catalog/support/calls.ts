// Calls, callers and an observer for the catalog, without an edge in front of it.
import type { Fault } from "@recourse/core";
import { parseRevision } from "@recourse/core/wire";
import { Call, type Route } from "../../../src/call/call.ts";
import type { Caller } from "../../../src/call/caller.ts";
import type { Observer } from "../../../src/call/observer.ts";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { headWith } from "../../support/head.ts";

export const callerOf = (more: Partial<Caller> = {}): Caller => ({
  id: "acme one",
  tenant: "acme",
  subject: "one",
  tools: ["*"],
  scopes: new Set(),
  entitlements: new Set(),
  dialect: undefined,
  ...more,
});

export interface CallOptions {
  readonly caller?: Caller;
  readonly revision?: string;
  readonly id?: string | number | undefined;
  readonly signal?: AbortSignal;
  readonly notify?: (message: Buffer) => void;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call as the steps before `resolve` leave it. */
export function callOf(method: string, params: Record<string, unknown> = {}, options: CallOptions = {}): Call {
  const call = new Call(
    {
      head: headWith(options.headers),
      signal: options.signal ?? new AbortController().signal,
      readBody: () => Promise.resolve(Buffer.alloc(0)),
      notify: options.notify ?? (() => {}),
    },
    performance.now(),
  );
  call.caller = options.caller ?? callerOf();
  call.revision = parseRevision(options.revision ?? "2026-07-28");
  call.deadlineMs = performance.now() + 600_000;
  const none = undefined;
  const spans = { id: none, params: none, target: none, arguments: none, meta: none, metaMembers: [] };
  const id = "id" in options ? options.id : 7;
  call.message = { method, id, params, meta: undefined, bytes: Buffer.alloc(0), spans };
  return call;
}

/** What a catalog makes of a request: the local result as text, the fault, or the route. */
export async function outcomeOf(catalog: Catalog, call: Call): Promise<string | Fault | Route> {
  const route = await catalog.findRoute(call);
  return "reason" in route || route.kind !== "local" ? route : route.answer(call);
}

/** The local result of a request, parsed. */
export async function resultOf(catalog: Catalog, call: Call): Promise<Record<string, never>> {
  const outcome = await outcomeOf(catalog, call);
  if (typeof outcome !== "string") throw new Error(`no local result: ${JSON.stringify(outcome)}`);
  return JSON.parse(outcome) as Record<string, never>;
}

/** The names or URIs in a list, over all pages. */
export async function listedKeys(
  catalog: Catalog,
  method: string,
  options: CallOptions = {},
  member = "tools",
  key = "name",
): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await resultOf(catalog, callOf(method, cursor === undefined ? {} : { cursor }, options))) as Record<
      string,
      unknown
    >;
    keys.push(...(page[member] as Record<string, string>[]).map((entry) => entry[key] ?? ""));
    cursor = page["nextCursor"] as string | undefined;
  } while (cursor !== undefined);
  return keys;
}

/** An observer that keeps what it receives. */
export function recordingObserver() {
  const switches: string[] = [];
  const lines: { readonly message: string; readonly facts: unknown }[] = [];
  const observer: Observer = {
    began() {},
    traceparent: () => undefined,
    ended() {},
    switched: (control, state, answer) => void switches.push(`${control} ${state}: ${answer}`),
    breaker() {},
    log: (_level, message, facts) => void lines.push({ message, facts }),
    unexpected() {},
    sink: () => {},
    metrics: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
  return { observer, switches, lines };
}
