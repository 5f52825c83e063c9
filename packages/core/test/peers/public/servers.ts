// Two servers of the official collection and a server for a REST service, as published. Each runs as a process over stdio with a client of the SDK.
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { bundleProgram } from "@recourse/test-kit/bundle";
import { type Fault, readFault } from "../../../src/index.ts";
import type { GuardOptions } from "../../../src/server/index.ts";
import { startAirtable } from "./airtable/service.ts";
import { API_KEY, REGISTERED_SECRET, TOKEN } from "./secrets.ts";

/** The packages of the servers, and the file of each that starts it. */
export const PUBLIC_SERVERS = {
  filesystem: { package: "@modelcontextprotocol/server-filesystem", entry: "dist/index.js" },
  memory: { package: "@modelcontextprotocol/server-memory", entry: "dist/index.js" },
  airtable: { package: "airtable-mcp-server", entry: "dist/main.js" },
} as const;

/** The name of a server. */
export type PublicServer = keyof typeof PUBLIC_SERVERS;

/** A running server with its client and its directory. */
export interface RunningServer {
  readonly client: Client;
  readonly dir: string;
  /** What it has written to stderr. */
  readonly stderr: () => string;
  close(): Promise<void>;
}

/** Starts a server in a new directory. With options it is guarded. */
export async function startPublicServer(name: PublicServer, guarded?: GuardOptions): Promise<RunningServer> {
  const dir = newDirectory();
  const service = name === "airtable" ? await startAirtable() : undefined;
  const published = PUBLIC_SERVERS[name];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...(service === undefined ? [] : await preload("airtable/redirect.ts")),
      ...(guarded === undefined ? [] : await preload("guard.ts")),
      fileURLToPath(import.meta.resolve(`${published.package}/${published.entry}`)),
      ...(name === "filesystem" ? [join(dir, "files")] : []),
    ],
    env: {
      MEMORY_FILE_PATH: join(dir, "memory.jsonl"),
      AIRTABLE_API_KEY: API_KEY,
      AIRTABLE_STAND_IN: service?.url ?? "",
      REGISTERED_SECRET,
      GUARD: JSON.stringify(guarded ?? {}),
    },
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const client = new Client({ name: "reader", version: "1.0.0" });
  async function close() {
    await client.close();
    service?.close();
    rmSync(dir, { recursive: true, force: true });
  }
  try {
    await client.connect(transport as never);
  } catch (cause) {
    await close();
    throw new Error(`${name} did not start: ${stderr}`, { cause });
  }
  return { client, dir, stderr: () => stderr, close };
}

async function preload(file: string): Promise<string[]> {
  return ["--import", pathToFileURL(await bundleProgram(new URL(file, import.meta.url))).href];
}

let directories = 0;

/**
 * A new directory with files for calls that succeed and calls that fail. Its name has only lower-case letters, because the
 * names of `mkdtemp` sometimes look like a password, and a text with them would be removed.
 */
function newDirectory(): string {
  const letters = [...`${process.pid}${directories++}`].map((digit) => "abcdefghij"[Number(digit)]).join("");
  const path = `/tmp/public-server-${letters}`;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  const dir = realpathSync(path);
  const files = join(dir, "files");
  mkdirSync(join(files, "sub"), { recursive: true });
  writeFileSync(join(files, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(files, "b.txt"), "b");
  writeFileSync(join(files, "dot.png"), "not really a picture");
  writeFileSync(join(files, TOKEN), "b");
  writeFileSync(join(files, "sub", "inner.txt"), "inner");
  // Two spellings of one name. The test asks for a third one.
  for (const spelling of ["a\u030A\u0301", "\u00e5\u0301"]) writeFileSync(join(files, spelling), spelling);
  for (const outside of ["outside.txt", `${TOKEN}.txt`]) writeFileSync(join(dir, outside), "outside");
  symlinkSync(join(dir, "outside.txt"), join(files, "link"));
  symlinkSync(join(dir, `${TOKEN}.txt`), join(files, "link-to-token"));
  symlinkSync(join(files, "gone"), join(files, "dangling"));
  return dir;
}

/** The answer that a client got. The directory of the server is replaced by `$DIR`. */
export interface ServerAnswer {
  readonly wire: unknown;
  readonly failed: boolean;
  /** The text for the model. */
  readonly text: string;
  readonly fault: Fault | undefined;
}

interface WireBody {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Sends a request and reads the answer, be it a result or an error. */
export async function answerOf(
  running: RunningServer,
  ask: (running: RunningServer) => Promise<unknown>,
): Promise<ServerAnswer> {
  const settled = await ask(running).then(
    (result) => ({ result }),
    ({ code, message, data }: { code: number; message: string; data: unknown }) => ({ error: { code, message, data } }),
  );
  const answer = JSON.parse(JSON.stringify(settled).replaceAll(running.dir, "$DIR")) as {
    result?: WireBody;
    error?: WireBody;
  };
  const { result, error } = answer;
  return {
    wire: error ?? result,
    failed: error !== undefined || result?.isError === true,
    text: error?.message ?? result?.content?.map(({ text }) => text).join("\n") ?? "",
    // `readFault` filters text too, so it needs the same exceptions as the server.
    fault: readFault((error?.data ?? result?._meta)?.["recourse/fault"], { allow: ["path"] }),
  };
}
