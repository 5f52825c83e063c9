import type { IncomingMessage, ServerResponse } from "node:http";
import { core, type Fault, stampFault } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import { edgeStatus, prefersProblem, writeEdgeError } from "@recourse/faults/internal-do-not-use";
import { discardBody } from "./body.ts";

/** What the pages beside the MCP endpoint show. */
export interface Pages {
  /** The public name of the gateway. */
  name(): string;
  /** The process lives. */
  health(): object;
  /** Whether calls are served, and what is known about the upstreams. */
  ready(): { readonly isReady: boolean; readonly body: object };
  metrics(): Promise<string | undefined>;
  /** Metadata of the protected resource; undefined where there is none. */
  metadata(): unknown;
}

/** What a page answers with. */
interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const METADATA_PATH = "/.well-known/oauth-protected-resource";
const NOT_FOUND = core.not_found.fault({}, { effect: "none" });
const WRONG_METHOD = core.unsupported.fault({}, { effect: "none", recourse: [{ do: "stop" }] });

type Show = (pages: Pages) => Page | undefined | Promise<Page | undefined>;

const PAGES = {
  "/health": (pages) => json(200, pages.health()),
  "/ready": (pages) => {
    const { isReady, body } = pages.ready();
    return json(isReady ? 200 : 503, body);
  },
  "/metrics": async (pages) => {
    const text = await pages.metrics();
    return text === undefined ? undefined : { status: 200, type: "text/plain; version=0.0.4; charset=utf-8", text };
  },
} satisfies Record<string, Show>;

const metadataPage: Show = (pages) => {
  const metadata = pages.metadata();
  return metadata === undefined ? undefined : json(200, metadata);
};

/** Answers a request for anything but the MCP endpoint. */
export function answerPage(incoming: IncomingMessage, outgoing: ServerResponse, path: string, pages: Pages): void {
  const show = showOf(path);
  if (show === undefined) {
    refuse(incoming, outgoing, NOT_FOUND, pages);
  } else if (incoming.method !== "GET" && incoming.method !== "HEAD") {
    outgoing.setHeader("allow", "GET, HEAD");
    refuse(incoming, outgoing, WRONG_METHOD, pages, 405);
  } else {
    void Promise.resolve(show(pages)).then(
      (page) => (page === undefined ? refuse(incoming, outgoing, NOT_FOUND, pages) : send(incoming, outgoing, page)),
      () => refuse(incoming, outgoing, core.internal.fault({}, { effect: "none" }), pages),
    );
  }
}

function showOf(path: string): Show | undefined {
  if (Object.hasOwn(PAGES, path)) return PAGES[path as keyof typeof PAGES];
  return path === METADATA_PATH || path.startsWith(`${METADATA_PATH}/`) ? metadataPage : undefined;
}

function json(status: number, body: unknown): Page {
  return { status, type: "application/json", text: JSON.stringify(body) };
}

function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  given: Fault,
  pages: Pages,
  status = edgeStatus(given),
): void {
  const fault = stampFault(given, { origin: { layer: "gateway", name: pages.name() } });
  if (prefersProblem(incoming.headers.accept ?? null)) {
    const text = JSON.stringify({ ...http.encode(fault).body, status });
    send(incoming, outgoing, { status, type: "application/problem+json", text });
  } else {
    send(incoming, outgoing, json(status, { jsonrpc: "2.0", error: writeEdgeError(fault, {}) }));
  }
}

function send(incoming: IncomingMessage, outgoing: ServerResponse, { status, type, text }: Page): void {
  if (outgoing.destroyed) return;
  outgoing.on("error", () => {});
  outgoing.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : text);
  discardBody(incoming);
}
