import type { Clock } from "./clock.ts";

type Handler = (request: Request) => Promise<Response>;
type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** One call of a tool, as somebody between client and server sees it. */
export interface Crossing {
  readonly atMs: number;
  readonly tool: string;
  readonly fate: "success" | "failure" | "done, but the reply was lost" | "refused by the proxy";
}

/** A page as proxies send it: long, and of no use to a model. */
const PAGE = `<!doctype html><html><head><title>403 Forbidden</title><style>${"p { margin: 0 } ".repeat(60)}</style></head><body><h1>Access denied</h1><p>Contact your administrator.</p></body></html>`;

/** How many replies to `charge` get lost after the money was taken. */
const LOST = 2;

/** The way to a server: it loses replies to one tool, and a proxy on it refuses another. */
export function network(server: Handler, clock: Clock): { readonly fetch: FetchLike; readonly crossings: Crossing[] } {
  const crossings: Crossing[] = [];
  let lost = 0;

  async function cross(request: Request, tool: string): Promise<Response> {
    const note = (fate: Crossing["fate"]) => crossings.push({ atMs: clock.now(), tool, fate });
    if (tool === "notify") {
      note("refused by the proxy");
      return new Response(PAGE, { status: 403, headers: { "content-type": "text/html" } });
    }
    const response = await server(request);
    if (tool !== "charge" || lost === LOST) {
      const text = await response.clone().text();
      note(text.includes('"isError":true') ? "failure" : "success");
      return response;
    }
    lost += 1;
    note("done, but the reply was lost");
    await response.body?.cancel();
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
  }

  return {
    crossings,
    fetch(url, init) {
      const request = new Request(url, init);
      const tool = toolOf(init?.body);
      return tool === undefined ? server(request) : cross(request, tool);
    },
  };
}

/** The tool that a request calls, if it calls one. */
function toolOf(body: unknown): string | undefined {
  if (typeof body !== "string") return undefined;
  const { method, params } = JSON.parse(body) as { method?: string; params?: { name?: string } };
  return method === "tools/call" ? params?.name : undefined;
}
