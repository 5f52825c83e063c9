// Real servers behind the stdio upstream: the official SDK in both eras, and two public servers.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Revision } from "@recourse/core/wire";
import { expect, test } from "vitest";
import { callOf, childAt, META, textFrom, textOf, upstreamOf } from "./support/upstream.ts";

const never = new AbortController().signal;
const publicServer = (name: string) => join("node_modules/@modelcontextprotocol", name, "dist/index.js");

test("a server of the SDK before 2026-07-28: initialised, called, its progress given with the caller's token", async () => {
  const upstream = upstreamOf(childAt("sdk-v1-child.mjs"));
  await expect(upstream.ready(never)).resolves.toBe("2025-11-25");
  expect(upstream.ready(never)).toBe("2025-11-25");
  expect(upstream.about).toMatchObject({ capabilities: { tools: {} }, instructions: "older" });
  const progress: string[] = [];
  const onNotification = (message: Buffer) => void progress.push(message.toString());
  const ask = async (revision?: Revision) => {
    const more = { meta: { progressToken: 12 }, onNotification, revision };
    const reply = await upstream.send(callOf("greet", { name: "Ada" }, more));
    expect(reply).toMatchObject({ kind: "answer", status: 200 });
    return JSON.parse(reply.kind === "answer" ? reply.body.toString() : "") as unknown;
  };
  const content = [{ type: "text", text: "Hello Ada" }];
  expect(await ask()).toEqual({ jsonrpc: "2.0", id: "caller-7", result: { content } });
  expect(progress.map((text) => JSON.parse(text))).toEqual([
    { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 12, progress: 1, message: "Ada" } },
  ]);
  // Callers of the newer era need the type of a result.
  expect(await ask("2026-07-28")).toMatchObject({ result: { resultType: "complete", content } });
});

test("a server of the SDK that speaks 2026-07-28 is found to do so", async () => {
  const upstream = upstreamOf(childAt("sdk-v2-child.mjs"));
  await expect(upstream.ready(never)).resolves.toBe("2026-07-28");
  expect(upstream.about).toMatchObject({ instructions: "newer" });
  const progress: string[] = [];
  const onNotification = (message: Buffer) => void progress.push(message.toString());
  const meta = { ...META, progressToken: "mine" };
  await expect(textFrom(upstream, "greet", { name: "Ada" }, { meta, onNotification })).resolves.toBe("Hello Ada");
  expect(progress.map((text) => JSON.parse(text).params.progressToken)).toEqual(["mine"]);
  const reply = await upstream.send(callOf("greet", { name: 5 }, { meta: META }));
  expect(reply).toMatchObject({ kind: "answer" });
});

test("the public server for files reads what it may read, and its failures come as it wrote them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stdio-files-"));
  try {
    await writeFile(join(folder, "note.txt"), "Grüße");
    const upstream = upstreamOf([process.execPath, publicServer("server-filesystem"), folder]);
    const path = join(folder, "note.txt");
    await expect(textFrom(upstream, "read_text_file", { path })).resolves.toBe("Grüße");
    const refused = await upstream.send(callOf("read_text_file", { path: "/etc/hostname" }));
    expect(refused.kind === "answer" && refused.body.toString()).toContain('"isError":true');
    await expect(textFrom(upstream, "write_file", { path, content: "new" })).resolves.toContain("Successfully");
    await expect(readFile(path, "utf8")).resolves.toBe("new");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("the public server for memory keeps its state between calls of all callers, with the variables of the file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stdio-memory-"));
  try {
    const environment = { MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
    const upstream = upstreamOf([process.execPath, publicServer("server-memory")], { environment });
    const entities = [{ name: "Ada", entityType: "person", observations: ["wrote the first program"] }];
    await textFrom(upstream, "create_entities", { entities }, { caller: { id: "one", tenant: "acme" } });
    await expect(textFrom(upstream, "read_graph", {}, { caller: { id: "two", tenant: "acme" } })).resolves.toContain(
      "wrote the first program",
    );
    const listed = await upstream.send(
      callOf("", {}, { method: "tools/list", target: undefined, params: Buffer.from("{}") }),
    );
    expect(textOf(listed)).toContain("create_entities");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
