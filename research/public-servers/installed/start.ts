// Starts an installed server as a process over stdio, with the client of the official SDK and a stand-in of its service.
import { chmodSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { GuardOptions } from "@recourse/core/server";
import { bundleProgram } from "@recourse/test-kit/bundle";
import { REGISTERED_SECRET } from "../../../packages/core/test/peers/public/secrets.ts";
import type { RunningServer } from "../../../packages/core/test/peers/public/servers.ts";
import type { InstalledCase, InstalledServer } from "./case.ts";
import { INSTALLED } from "./install.ts";
import { GUARDED, REFUSED } from "./marks.ts";
import { type StandIn, startStandIn } from "./stand-in.ts";

/** A process with its stand-in. */
export interface StartedServer extends RunningServer {
  readonly standIn: StandIn;
  /** What `guard` did with the server: the class that it took, or the message with which it refused. */
  guardSaid(): GuardSaid;
}

/** What `guard` did with a server. */
export type GuardSaid = { readonly took: string } | { readonly refused: string } | undefined;

/** A server that does not answer in this time counts as silent. */
const SILENCE_MS = 4_000;
/** Some servers repeat what failed before they answer. */
const ANSWER_MS = 60_000;

/** Starts a server in a new directory. With options it is guarded. */
export async function startInstalled(
  name: string,
  server: InstalledServer,
  guarded?: GuardOptions,
): Promise<StartedServer> {
  const dir = newDirectory(server.files ?? {});
  const standIn = await startStandIn();
  const filled = (text: string): string => text.replaceAll("$DIR", dir);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...(await preload("network.ts")),
      ...(guarded === undefined ? [] : await preload("guard.ts")),
      resolve(INSTALLED, "node_modules", server.package, server.file),
      ...(server.args ?? []).map(filled),
    ],
    cwd: dir,
    env: {
      PATH: `${join(dir, "bin")}:${process.env["PATH"] ?? ""}`,
      HOME: dir,
      STAND_IN_PORT: String(standIn.port),
      REGISTERED_SECRET,
      GUARD: JSON.stringify(guarded ?? {}),
      ...Object.fromEntries(Object.entries(server.env ?? {}).map(([key, value]) => [key, filled(value)])),
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
    standIn.close();
    rmSync(dir, { recursive: true, force: true });
  }
  try {
    await client.connect(transport as never);
  } catch (cause) {
    await close();
    throw new Error(`${name} did not start: ${stderr}`, { cause });
  }
  return { client, dir, stderr: () => stderr, close, standIn, guardSaid: () => saidIn(stderr) };
}

/** Calls the tool of a case. */
export const askOf =
  ({ tool, args = {}, replies = [] }: InstalledCase) =>
  ({ client, dir }: RunningServer): Promise<unknown> =>
    client.callTool({ name: tool, arguments: JSON.parse(JSON.stringify(args).replaceAll("$DIR", dir)) }, undefined, {
      timeout: replies.some(([, reply]) => reply === "silence") ? SILENCE_MS : ANSWER_MS,
    });

/** Reads what the guarding process said. */
function saidIn(stderr: string): GuardSaid {
  const after = (mark: string): string | undefined =>
    stderr
      .split("\n")
      .find((line) => line.startsWith(mark))
      ?.slice(mark.length)
      .trim();
  const took = after(GUARDED);
  const refused = after(REFUSED);
  if (took !== undefined) return { took };
  return refused === undefined ? undefined : { refused };
}

async function preload(file: string): Promise<string[]> {
  return ["--import", pathToFileURL(await bundleProgram(new URL(`preload/${file}`, import.meta.url))).href];
}

let directories = 0;

/** Its name has only lower-case letters, because the names of `mkdtemp` sometimes look like a password. */
function newDirectory(files: Readonly<Record<string, string>>): string {
  const letters = [...`${process.pid}${directories++}`].map((digit) => "abcdefghij"[Number(digit)]).join("");
  const path = `/tmp/installed-server-${letters}`;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  const dir = realpathSync(path);
  for (const [name, text] of Object.entries(files)) {
    const file = join(dir, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (name.startsWith("bin/")) chmodSync(file, 0o755);
  }
  return dir;
}
