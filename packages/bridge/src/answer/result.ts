import type { SecretFilter } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import { isJson } from "../document/json.ts";
import type { Reply } from "../network/reply.ts";
import { isMediaType } from "../operations/media-type.ts";
import type { Operation } from "../operations/operation.ts";
import { isJsonType, typeOf } from "./body.ts";
import { parseJson } from "./json.ts";
import { locationOf, nextLink } from "./links.ts";
import type { Routes } from "./routes.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** One piece of a result. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    };

/** The result of a tool, as the protocol has it. */
export interface CallResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What a result is made with. */
export interface ResultSetting {
  readonly operation: Operation;
  /** The address that was called. */
  readonly url: URL;
  readonly routes: Routes;
  /** What must not come back in an answer. */
  readonly secrets: SecretFilter;
  readonly now: number;
}

/** The result of a good answer; undefined when it cannot be handed on. `text` is its body where that is text. */
export function resultOf(reply: Reply, text: string | undefined, setting: ResultSetting): CallResult | undefined {
  const { secrets, operation } = setting;
  if (reply.body.byteLength === 0) return structured(reply.status === 202 ? accepted(reply, undefined, setting) : {});
  if (text === undefined) return binary(reply, operation);
  const parsed = isData(typeOf(reply), text) ? parseJson(text) : NO_DATA;
  const isRefused = parsed.ok ? false : parsed.why === "too_deep" || secrets.has(text);
  if (isRefused) return undefined;
  const value = parsed.ok ? withoutSecrets(parsed.value, secrets) : text.toWellFormed();
  if (reply.status === 202) return structured(accepted(reply, value, setting));
  if (!parsed.ok) return { content: [{ type: "text", text: String(value) }] };
  return structured(isJson(value) ? value : listed(reply, value, setting));
}

const NO_DATA = { ok: false, why: "not_json" } as const;

/** Whether a text may be JSON: by its type, or because many services forget to name it. */
function isData(type: string, text: string): boolean {
  return type === "" || isJsonType(type) || /^\s*[[{]/.test(text);
}

function structured(value: Readonly<Record<string, unknown>>): CallResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** A list gets a name, since a structured result is an object; and beside it what would read the next page. */
function listed(reply: Reply, value: unknown, { routes, url }: ResultSetting): Readonly<Record<string, unknown>> {
  if (!Array.isArray(value)) return { value };
  const link = nextLink(reply.headers);
  const next = link === undefined ? undefined : routes(link, url);
  return { items: value, ...(next !== undefined && { next }) };
}

/** The service took the call and works on it: what would tell how far it is, and when to ask. */
function accepted(reply: Reply, body: unknown, { routes, url, now }: ResultSetting): Readonly<Record<string, unknown>> {
  const location = locationOf(reply.headers);
  const operation = location === undefined ? undefined : routes(location, url);
  // The dialect knows every way to name a wait, and looks for one in a limit.
  const afterMs = http.decode({ status: 429, headers: reply.headers }, { now })?.retry?.afterMs;
  return {
    status: "accepted",
    operation: operation ?? null,
    ...(afterMs !== undefined && { retry_after_ms: afterMs }),
    ...(body !== undefined && { body }),
  };
}

/** Bytes, in the block that suits their type. */
function binary(reply: Reply, { name }: Operation): CallResult {
  const named = typeOf(reply);
  const mimeType = isMediaType(named) ? named : "application/octet-stream";
  const data = Buffer.from(reply.body).toString("base64");
  const [, family] = /^(image|audio)\//.exec(mimeType) ?? [];
  if (family === "image" || family === "audio") return { content: [{ type: family, data, mimeType }] };
  return { content: [{ type: "resource", resource: { uri: `answer:${name}`, mimeType, blob: data } }] };
}
