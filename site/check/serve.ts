// Serves a built site on loopback as a usual host does: compressed, index.html for folders, 404.html for the rest.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { SITE_PATH } from "../content/address.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml",
};

/** What is smaller compressed. The index of the search is compressed already. */
const COMPRESSED: readonly string[] = [".css", ".html", ".js", ".json", ".md", ".svg", ".txt", ".xml"];

/** A file as an answer. */
interface ServedFile {
  readonly status: 200 | 404;
  readonly file: string;
}

/** Finds what answers a path; undefined if the site has no page for unknown addresses. */
function findFile(folder: string, path: string): ServedFile | undefined {
  const named = join(folder, normalize(`/${decodePath(path)}`));
  const file = existsSync(named) && statSync(named).isDirectory() ? join(named, "index.html") : named;
  if (existsSync(file)) return { status: 200, file };
  const unknown = join(folder, "404.html");
  return existsSync(unknown) ? { status: 404, file: unknown } : undefined;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A site that is served. */
export interface ServedSite {
  /** Where, without a slash at the end. */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves a folder on a free port, below the path of the site. */
export async function serveFolder(folder: string): Promise<ServedSite> {
  const bodies = new Map<string, Buffer>();
  const readBody = (file: string) => {
    const known = bodies.get(file);
    if (known !== undefined) return known;
    const bytes = readFileSync(file);
    const body = COMPRESSED.includes(extname(file)) ? gzipSync(bytes) : bytes;
    bodies.set(file, body);
    return body;
  };
  const server = createServer((request, response) => {
    const [path = "/"] = (request.url ?? "/").split("?");
    const found = path.startsWith(`${SITE_PATH}/`) ? findFile(folder, path.slice(SITE_PATH.length)) : undefined;
    if (found === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { status, file } = found;
    response.writeHead(status, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cache-control": path.includes("/_astro/") ? "public, max-age=31536000, immutable" : "no-cache",
      "x-content-type-options": "nosniff",
      ...(COMPRESSED.includes(extname(file)) && { "content-encoding": "gzip" }),
    });
    response.end(readBody(file));
  });
  // A busy machine asks again later than after the usual five seconds.
  server.keepAliveTimeout = 60_000;
  const { url, close } = await listenOnLoopback(server);
  return { address: `${url.origin}${SITE_PATH}`, close };
}
