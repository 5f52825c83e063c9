// The files of the built console. They are read at the start; a request is a look-up, never a path of the file system.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { arrayAt, numberAt, parseJson, stringAt } from "@recourse/core/wire";

interface FileAnswer {
  readonly status: 200 | 404 | 410;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface ConsoleFiles {
  /** The answer to a path below `/console/`. Unknown paths get the page; missing files of another version get 410. */
  find(path: string, acceptEncoding: string | undefined): FileAnswer;
}

/** A file, and its compressed form if it has one. */
interface BuiltFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer | undefined;
}

/** How the names of compressed files end. */
const GZIP_END = ".gz";

/** All files together are smaller; more than this is not the console. */
const MAX_FILES_BYTES = 4 * 1_024 * 1_024;
const MAX_FILES = 1_000;
const FILE_PATH = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

const INDEX = "index.html";
/** Files with a digest in their names are below it. */
const ASSETS = "assets/";
/** How deep addresses of pages are, such as `i/01M7…`: 1. */
const MAX_PAGE_DEPTH = 3;

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** What a page could ask a browser for. All are off: the console needs only to copy. */
const FEATURES_OFF = [
  ...["accelerometer", "autoplay", "browsing-topics", "camera", "captured-surface-control", "clipboard-read"],
  ...["compute-pressure", "cross-origin-isolated", "display-capture", "encrypted-media", "fullscreen"],
  ...["gamepad", "geolocation", "gyroscope", "hid", "identity-credentials-get", "idle-detection"],
  ...["keyboard-map", "local-fonts", "magnetometer", "microphone", "midi", "otp-credentials", "payment"],
  ...["picture-in-picture", "private-state-token-issuance", "private-state-token-redemption"],
  ...["publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock", "serial"],
  ...["speaker-selection", "storage-access", "sync-xhr", "usb", "window-management", "xr-spatial-tracking"],
];

/** What every answer below `/console/` has. */
export const CONSOLE_HEADERS = {
  "content-security-policy": PAGE_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": [...FEATURES_OFF.map((name) => `${name}=()`), "clipboard-write=(self)"].join(", "),
} as const;

const NOT_STORED = { "cache-control": "no-store" } as const;
const STORED = { "cache-control": "public, max-age=31536000, immutable" } as const;

/** Where the package has the built console, whether it runs from its sources or built. */
export function findConsoleFolder(from: string = import.meta.dirname): string {
  let folder = from;
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, "dist/console");
}

/** Reads the files that `files.json` lists. It rejects if one is missing, or is not the one that was built. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const listed = arrayAt(parseJson(await readFile(join(folder, "files.json"), "utf8")), "files") ?? [];
  if (listed.length === 0 || listed.length > MAX_FILES) throw new Error("files.json lists no files");
  const files = new Map<string, { readonly type: string; readonly bytes: Buffer }>();
  let rest = MAX_FILES_BYTES;
  for (const entry of listed) {
    const [path = "", type = "", digest] = ["path", "type", "digest"].map((name) => stringAt(entry, name));
    rest -= numberAt(entry, "size") ?? Number.NaN;
    if (!FILE_PATH.test(path) || !(rest >= 0)) throw new Error("files.json lists what is not a file of the console");
    const bytes = await readFile(join(folder, path));
    if (createHash("sha256").update(bytes).digest("hex") !== digest)
      throw new Error(`${path} is not the file that was built`);
    files.set(path, { type, bytes });
  }
  return createConsoleFiles(files);
}

function createConsoleFiles(
  files: ReadonlyMap<string, { readonly type: string; readonly bytes: Buffer }>,
): ConsoleFiles {
  const index = files.get(INDEX);
  if (index === undefined) throw new Error(`files.json does not list ${INDEX}`);
  const pages = Array.from({ length: MAX_PAGE_DEPTH + 1 }, (_, depth) => pageAtDepth(index.bytes, depth));
  const built = new Map<string, BuiltFile>();
  for (const [path, { type, bytes }] of files) {
    if (path === INDEX) continue;
    const isCompressed = path.endsWith(GZIP_END);
    const plain = isCompressed ? gunzipSync(bytes, { maxOutputLength: MAX_FILES_BYTES }) : bytes;
    const name = isCompressed ? path.slice(0, -GZIP_END.length) : path;
    built.set(name, { type, plain, gzip: isCompressed ? bytes : undefined });
  }
  return {
    find(path, acceptEncoding) {
      const file = built.get(path);
      if (file !== undefined) return fileAnswer(file, path, acceptEncoding);
      if (path.startsWith(ASSETS)) return textAnswer(410, "The gateway was upgraded. Reload the page.");
      const page = pages[path.split("/").length - 1];
      if (page === undefined) return textAnswer(404, "The console has no page at this address.");
      return createFileAnswer(200, { "content-type": index.type, ...NOT_STORED }, page);
    },
  };
}

/** The page with addresses of files that are right at its own address: no base address is allowed that would do it. */
function pageAtDepth(page: Buffer, depth: number): Buffer {
  const up = depth === 0 ? "./" : "../".repeat(depth);
  return Buffer.from(page.toString().replaceAll(`"./${ASSETS}`, `"${up}${ASSETS}`));
}

function fileAnswer({ type, plain, gzip }: BuiltFile, path: string, acceptEncoding = ""): FileAnswer {
  const compressed = readEncodings(acceptEncoding).has("gzip") ? gzip : undefined;
  const headers = {
    "content-type": type,
    vary: "accept-encoding",
    ...(path.startsWith(ASSETS) ? STORED : NOT_STORED),
    ...(compressed !== undefined && { "content-encoding": "gzip" }),
  };
  return createFileAnswer(200, headers, compressed ?? plain);
}

/** The encodings that a browser names, without those that it refuses. */
function readEncodings(header: string): ReadonlySet<string> {
  const named = header.toLowerCase().split(",").slice(0, 20);
  return new Set(
    named.filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one)).map((one) => one.split(";", 1)[0]?.trim() ?? ""),
  );
}

/** A plain sentence in place of a page. */
export function textAnswer<Status extends number>(status: Status, sentence: string) {
  return createFileAnswer(
    status,
    { "content-type": "text/plain; charset=utf-8", ...NOT_STORED },
    Buffer.from(`${sentence}\n`),
  );
}

function createFileAnswer<Status extends number>(
  status: Status,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
) {
  return { status, headers: { ...CONSOLE_HEADERS, ...headers, "content-length": String(body.length) }, body };
}
