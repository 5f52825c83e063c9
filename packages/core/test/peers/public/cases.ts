// Every failure of the public servers that a client can provoke, and a success of each tool, from the files beside this one.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { API_KEY, PASSWORD, REGISTERED_SECRET, TOKEN } from "./secrets.ts";
import type { PublicServer, RunningServer } from "./servers.ts";

/** What a client asks. `$DIR` in it stands for the directory of the server. */
interface Request {
  readonly call?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** The URI of a resource to read. */
  readonly resource?: string;
  /** The method of a request with malformed parameters. */
  readonly send?: string;
  readonly params?: unknown;
  /** Replaces the file of the memory server before the request; null makes a directory of it. */
  readonly memory?: string | null;
}

/** A failure: how a client provokes it, and what may reach the client. */
export interface FailureCase extends Request {
  readonly name: string;
  /** Who wrote the text of the bare server: its authors, the official SDK, the REST service behind it, or Node and libraries. */
  readonly by: "author" | "sdk" | "service" | "runtime";
  /** The text, or its beginning, where it is meant for the caller. */
  readonly says?: string;
  /** Sentences that the authors add to a text of another program. */
  readonly adds?: readonly string[];
  /** A secret that the bare server shows. The guarded server must not show it, unless the caller sent it. */
  readonly secret?: string;
  /** The caller sent the secret as an argument, so to read it again tells the caller nothing. Registered secrets stay hidden. */
  readonly sentByCaller?: true;
  /** The reason of the fault; undefined for an error whose data the protocol fixes. */
  readonly reason?: string;
}

/** The author threw a sentence, which arrives as it is. */
export const SAID = "tool/failed";
export const QUOTED = "tool/execution_failed";

const PLANTED = { $TOKEN: TOKEN, $PASSWORD: PASSWORD, $REGISTERED: REGISTERED_SECRET, $API_KEY: API_KEY };

function readCases<T>(name: string): readonly T[] {
  let text = readFileSync(new URL(`${name}.jsonl`, import.meta.url), "utf8").replace("$LONG", "x".repeat(70_000));
  for (const [mark, secret] of Object.entries(PLANTED)) text = text.replaceAll(mark, secret);
  const lines = text.trim().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

export const FAILURES: Readonly<Record<PublicServer, readonly FailureCase[]>> = {
  filesystem: readCases("filesystem.failures"),
  memory: readCases("memory.failures"),
  airtable: readCases("airtable.failures"),
};

/** At least one success of every tool. The order matters. */
export const successesOf = (server: PublicServer) =>
  readCases<Request & { readonly call: string }>(`${server}.successes`);

/** Sends what a case asks. */
export const ask =
  (request: Request) =>
  ({ client, dir }: RunningServer): Promise<unknown> => {
    const here = JSON.parse(JSON.stringify(request).replaceAll("$DIR", dir)) as Request;
    if (here.memory !== undefined) replaceMemory(join(dir, "memory.jsonl"), here.memory);
    if (here.call !== undefined) return client.callTool({ name: here.call, arguments: here.args ?? {} });
    if (here.resource !== undefined) return client.readResource({ uri: here.resource });
    return client.request({ method: here.send, params: here.params } as never, z.any());
  };

function replaceMemory(file: string, content: string | null): void {
  rmSync(file, { recursive: true, force: true });
  if (content === null) mkdirSync(file);
  else writeFileSync(file, content);
}
