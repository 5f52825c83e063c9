import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { request } from "undici";
import { onTestFinished } from "vitest";
import type { ConsoleConfig } from "../../src/config/types.ts";
import { keyOf } from "../admin/support.ts";

/** The script of the built console of the tests. */
export const SCRIPT = `console.log("${"a".repeat(2_000)}");\n`;
export const SCRIPT_PATH = "assets/index-abc.js";

const HTML = `<!doctype html><script type="module" crossorigin src="./assets/index-abc.js"></script>
<link rel="stylesheet" crossorigin href="./assets/index-abc.css">\n`;

const TYPES = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** A built console in a folder of its own, as the build writes it. */
export function builtConsole(changes: (files: Map<string, Buffer>) => void = () => {}): string {
  const folder = mkdtempSync(join(tmpdir(), "console-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = new Map<string, Buffer>([
    ["index.html", Buffer.from(HTML)],
    [`${SCRIPT_PATH}.gz`, gzipSync(SCRIPT)],
    ["assets/index-abc.css", Buffer.from("body{}")],
  ]);
  const listed = [...files].map(([path, bytes]) => ({
    path,
    type: TYPES[/\.(html|js|css)/.exec(path)?.[1] as keyof typeof TYPES],
    digest: createHash("sha256").update(bytes).digest("hex"),
    size: bytes.length,
  }));
  changes(files);
  for (const [path, bytes] of [...files, ["files.json", JSON.stringify({ files: listed })] as const]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

/** A console with its defaults. */
export const CONSOLE: ConsoleConfig = { url: undefined, secret: undefined, idleMs: 1_800_000, longestMs: 28_800_000 };

/** What a request of a browser can have. */
interface Sent {
  readonly method?: "GET" | "HEAD" | "POST" | "DELETE" | "PUT";
  readonly body?: unknown;
  /** Headers beside those that a browser sends by itself; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Sends what the console itself would send, to an address beside the API: `/console/session`, `/admin/v1/me`. */
export async function browse(url: URL, path: string, { method = "GET", body, headers = {} }: Sent = {}) {
  const isChange = method !== "GET" && method !== "HEAD";
  const own: Record<string, string | undefined> = {
    "sec-fetch-site": "same-origin",
    ...(isChange && { origin: url.origin, "content-type": "application/json", "x-recourse-console": "1" }),
    ...headers,
  };
  const answer = await request(new URL(path, url.origin), {
    method,
    headers: Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >,
    ...(isChange && { body: JSON.stringify(body ?? {}) }),
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const isJson = /json/.test(String(answer.headers["content-type"])) && bytes.length > 0;
  const [cookie] = String(answer.headers["set-cookie"] ?? "").split(";");
  return {
    status: answer.statusCode,
    headers: answer.headers,
    bytes,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
    /** What a browser sends from now on. */
    cookie: cookie ?? "",
  };
}

/** Signs in with the key of a role. */
export function signInAs(url: URL, role: Parameters<typeof keyOf>[0], headers: Sent["headers"] = {}) {
  return browse(url, "/console/session", { method: "POST", body: { key: keyOf(role) }, headers });
}
