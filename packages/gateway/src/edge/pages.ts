import type { IncomingMessage, ServerResponse } from "node:http";
import { type Fault, stampFault } from "@recourse/core";
import { http } from "@recourse/core/dialects";
import { edgeStatus, writeEdgeError } from "@recourse/core/proxy";
import { core } from "@recourse/core/reasons";
import { prefersProblem } from "@recourse/core/wire";
import type { RequestHead } from "../call/head.ts";
import { discardRequestBody } from "./body.ts";
import { isPreflight, pageHeaders, preflightHeaders } from "./cors.ts";
import { HttpHead } from "./http-origin.ts";

export interface Pages {
  name(): string;
  /** A fault if the `Host` or `Origin` of a request is not served. */
  checkSource(head: RequestHead): Fault | undefined;
  health(): PageState;
  /** Whether calls are served, and what is known about the upstreams. */
  ready(): PageState & { readonly isReady: boolean };
  metrics(): Promise<string | undefined>;
  /** Metadata of the protected resource; undefined if none exists. */
  metadata(): unknown;
}

interface PageState {
  readonly status: string;
  /** What else there is to say, to those only who may see it. */
  readonly details: object;
}

interface PageContent {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Public facts about the gateway lie below it. */
const PUBLIC_PREFIX = "/.well-known/";
const METADATA_PATH = `${PUBLIC_PREFIX}oauth-protected-resource`;
const PAGE_METHODS: readonly string[] = ["GET", "HEAD"];
const PAGE_NOT_FOUND = core.not_found.fault({}, { effect: "none" });
const PAGE_WRONG_METHOD = core.unsupported.fault({}, { effect: "none", recourse: [{ do: "stop" }] });

/** `refusal` is the fault for what is not for every `Host`. */
type ShowPage = (
  pages: Pages,
  refusal: Fault | undefined,
) => PageContent | Fault | undefined | Promise<PageContent | Fault | undefined>;

/** Probes come by address, so the state is shown to every `Host`; names and figures only to those that are served. */
const PAGES = {
  "/health": (pages, refusal) => jsonPage(200, visible(pages.health(), refusal)),
  "/ready": (pages, refusal) => {
    const { isReady, ...state } = pages.ready();
    return jsonPage(isReady ? 200 : 503, visible(state, refusal));
  },
  "/metrics": async (pages, refusal) => {
    if (refusal !== undefined) return refusal;
    const text = await pages.metrics();
    return text === undefined ? undefined : { status: 200, type: "text/plain; version=0.0.4; charset=utf-8", text };
  },
} satisfies Record<string, ShowPage>;

const metadataPage: ShowPage = (pages) => {
  const metadata = pages.metadata();
  return metadata === undefined ? undefined : jsonPage(200, metadata);
};

/** What `answerPage` is told about a request. */
export interface PageRequest {
  readonly path: string;
  readonly pages: Pages;
  /** Which pages the address has: the state of the gateway, the metadata for callers, or both. */
  readonly shown: { readonly state: boolean; readonly metadata: boolean };
}

/** Answers a request for anything but the MCP endpoint. It rejects if a page could not be shown, after its answer. */
export async function answerPage(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path, pages, shown }: PageRequest,
): Promise<void> {
  const show = findPage(path, shown);
  if (shown.metadata && path.startsWith(PUBLIC_PREFIX) && allowEveryPage(incoming, outgoing)) return;
  if (show === undefined) {
    refusePage(incoming, outgoing, PAGE_NOT_FOUND, pages);
  } else if (!PAGE_METHODS.includes(incoming.method ?? "GET")) {
    outgoing.setHeader("allow", PAGE_METHODS.join(", "));
    refusePage(incoming, outgoing, PAGE_WRONG_METHOD, pages, 405);
  } else {
    // Whose names a page shows does not depend on the address of the caller.
    const refusal = pages.checkSource(new HttpHead(incoming, { path, proxies: [] }));
    let page: PageContent | Fault | undefined;
    try {
      page = await show(pages, refusal);
    } catch (error) {
      refusePage(incoming, outgoing, core.internal.fault({}, { effect: "none" }), pages);
      throw error;
    }
    if (page !== undefined && "text" in page) sendPage(incoming, outgoing, page);
    else refusePage(incoming, outgoing, page ?? PAGE_NOT_FOUND, pages);
  }
}

/**
 * Lets pages of every origin read public facts: pages look there for where to sign in, before they are known. True if
 * the browser asked for nothing else.
 */
function allowEveryPage(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const head = new HttpHead(incoming, { path: PUBLIC_PREFIX, proxies: [] });
  for (const [name, value] of Object.entries(pageHeaders("*"))) outgoing.setHeader(name, value);
  if (!isPreflight(head)) return false;
  outgoing.writeHead(204, { ...preflightHeaders(head, { allowedOrigin: "*", methods: PAGE_METHODS }) });
  outgoing.end();
  discardRequestBody(incoming);
  return true;
}

function findPage(path: string, shown: PageRequest["shown"]): ShowPage | undefined {
  if (shown.state && Object.hasOwn(PAGES, path)) return PAGES[path as keyof typeof PAGES];
  const isMetadata = path === METADATA_PATH || path.startsWith(`${METADATA_PATH}/`);
  return shown.metadata && isMetadata ? metadataPage : undefined;
}

function visible({ status, details }: PageState, refusal: Fault | undefined): object {
  return refusal === undefined ? { status, ...details } : { status };
}

function jsonPage(status: number, body: unknown): PageContent {
  return { status, type: "application/json", text: JSON.stringify(body) };
}

function refusePage(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  given: Fault,
  pages: Pages,
  status = edgeStatus(given),
): void {
  const fault = stampFault(given, { origin: { layer: "gateway", name: pages.name() } });
  if (prefersProblem(incoming.headers.accept ?? null)) {
    const text = JSON.stringify({ ...http.encode(fault).body, status });
    sendPage(incoming, outgoing, { status, type: "application/problem+json", text });
  } else {
    sendPage(incoming, outgoing, jsonPage(status, { jsonrpc: "2.0", error: writeEdgeError(fault, {}) }));
  }
}

function sendPage(incoming: IncomingMessage, outgoing: ServerResponse, { status, type, text }: PageContent): void {
  if (outgoing.destroyed) return;
  outgoing.on("error", () => {});
  outgoing.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : text);
  discardRequestBody(incoming);
}
