import { type HttpSeen, responseOf } from "./http-seen.ts";
import type { Elsewhere } from "./judge-answer.ts";
import { plain } from "./judge-connection.ts";

/** Paths at which MCP servers usually are. */
const PATHS = ["/mcp", "/", "/sse", "/api/mcp"] as const;

/** Harmless requests to another path of the same server. */
export interface Asker {
  /** POSTs `server/discover`, which changes nothing. */
  discover(url: URL): Promise<HttpSeen>;
  /** Opens a stream with GET and reads its first event. */
  stream(url: URL): Promise<HttpSeen>;
}

/** Looks for MCP at the usual paths of a server, all at once. */
export async function findElsewhere(url: URL, { discover, stream }: Asker): Promise<Elsewhere> {
  const candidates = [
    ...new Set([...PATHS.map((path) => at(url, path)), at(url, otherEnding(url.pathname)), plain(url)]),
  ];
  const looked = await Promise.all(
    candidates.map(async (address) => {
      const [posted, streamed] = await Promise.all([discover(new URL(address)), stream(new URL(address))]);
      return { address, streamable: speaksMcp(posted), sse: isOldStream(streamed) };
    }),
  );
  return {
    streamable: looked.filter((one) => one.streamable && one.address !== plain(url)).map(({ address }) => address),
    sse: looked.filter((one) => one.sse).map(({ address }) => address),
  };
}

/** An MCP server answers with a JSON-RPC message, also when it refuses. */
function speaksMcp(seen: HttpSeen): boolean {
  return seen.kind === "answer" && responseOf(seen) !== undefined;
}

function isOldStream(seen: HttpSeen): boolean {
  return seen.kind === "answer" && /^event:\s*endpoint\s*$/m.test(seen.body);
}

function at(url: URL, path: string): string {
  const copy = new URL(plain(url));
  copy.pathname = path;
  copy.search = "";
  return copy.href;
}

function otherEnding(path: string): string {
  return path.endsWith("/") ? path.replace(/\/+$/, "") || "/" : `${path}/`;
}
