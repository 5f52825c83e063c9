// Two servers of the official collection, as published, each a process of its own over stdio with the SDK's real client.
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type Fault, readFault } from "../../../src/index.ts";
import type { GuardOptions } from "../../../src/server/index.ts";

export type Package = "filesystem" | "memory";

/** Known to `protect` in the guarded process; no pattern would find it. */
export const PROTECTED = "blue giraffe hat";
/** Found by its shape alone. */
export const TOKEN = ["ghp", "k3Vd81mQz0Lx7RtYb2Wc9Ns4Hj6Pf5Aq1Eu8"].join("_");
export const PASSWORD = "Tr0ub4dor&3";

/** A running server, its client, and the directory that it works in. */
export interface Running {
  readonly client: Client;
  readonly dir: string;
  /** What it wrote to standard error so far. */
  readonly stderr: () => string;
  close(): Promise<void>;
}

/** Starts a server in a new directory; it is guarded where options are given. */
export async function startPublic(name: Package, guarded?: GuardOptions): Promise<Running> {
  const dir = newDirectory();
  const entry = fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));
  const preload = ["--conditions=@recourse/source", "--import", new URL("guard.ts", import.meta.url).href];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...(guarded === undefined ? [] : preload), entry, ...(name === "filesystem" ? [join(dir, "files")] : [])],
    env: { MEMORY_FILE_PATH: join(dir, "memory.jsonl"), PROTECTED, GUARD: JSON.stringify(guarded ?? {}) },
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const client = new Client({ name: "reader", version: "1.0.0" });
  async function close() {
    await client.close();
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

let made = 0;

/**
 * A new directory with files to succeed and to fail with. Its name is made of small letters: what `mkdtemp` and some
 * systems choose looks like a password now and then, and a sentence with it would be withheld.
 */
function newDirectory(): string {
  const letters = [...`${process.pid}${made++}`].map((digit) => "abcdefghij"[Number(digit)]).join("");
  const given = `/tmp/public-server-${letters}`;
  rmSync(given, { recursive: true, force: true });
  mkdirSync(given);
  const dir = realpathSync(given);
  const files = join(dir, "files");
  mkdirSync(join(files, "sub"), { recursive: true });
  writeFileSync(join(files, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(files, "b.txt"), "b");
  writeFileSync(join(files, "dot.png"), "not really a picture");
  writeFileSync(join(files, TOKEN), "b");
  writeFileSync(join(files, "sub", "inner.txt"), "inner");
  // Two spellings of one name, neither of them the composed one that is asked for.
  for (const spelling of ["a\u030A\u0301", "\u00e5\u0301"]) writeFileSync(join(files, spelling), spelling);
  for (const outside of ["outside.txt", `${TOKEN}.txt`]) writeFileSync(join(dir, outside), "outside");
  symlinkSync(join(dir, "outside.txt"), join(files, "link"));
  symlinkSync(join(dir, `${TOKEN}.txt`), join(files, "link-to-token"));
  symlinkSync(join(files, "gone"), join(files, "dangling"));
  return dir;
}

/** What a client was answered, with the server's directory written as `$DIR`. */
export interface Answer {
  readonly wire: unknown;
  readonly failed: boolean;
  /** What a model reads of it. */
  readonly text: string;
  readonly fault: Fault | undefined;
}

interface Wire {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Asks a server, and reads the answer whether it is a result or an error. */
export async function answerOf(running: Running, ask: (running: Running) => Promise<unknown>): Promise<Answer> {
  const got = await ask(running).then(
    (result) => ({ result }),
    ({ code, message, data }: { code: number; message: string; data: unknown }) => ({ error: { code, message, data } }),
  );
  const whole = JSON.parse(JSON.stringify(got).replaceAll(running.dir, "$DIR")) as { result?: Wire; error?: Wire };
  const { result, error } = whole;
  return {
    wire: error ?? result,
    failed: error !== undefined || result?.isError === true,
    text: error?.message ?? result?.content?.map(({ text }) => text).join("\n") ?? "",
    // The reader has nets of its own, and must excuse what the server did.
    fault: readFault((error?.data ?? result?._meta)?.["recourse/fault"], { allow: ["path", "system"] }),
  };
}
