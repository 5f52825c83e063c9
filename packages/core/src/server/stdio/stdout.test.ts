import { Console } from "node:console";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guardStdout, routeConsole } from "./stdout.ts";

const message = (id: number | string = 1) => JSON.stringify({ jsonrpc: "2.0", id, result: {} });

function guarded() {
  const out: string[] = [];
  const stray: string[] = [];
  const stream = new Writable({
    highWaterMark: 64,
    write(chunk: Buffer, _, done) {
      out.push(chunk.toString());
      done();
    },
  });
  const guard = guardStdout({ stream, divert: (line) => stray.push(line) });
  return { stream, stray, guard, text: () => out.join("") };
}

describe("guardStdout", () => {
  it("lets messages and batches through and keeps everything else out", () => {
    const { stream, stray, guard, text } = guarded();
    const batch = `[${message(1)},${message(2)}]`;
    const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    const failed = '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}';
    const junk = [
      "hello",
      "{}",
      "[]",
      "7",
      '{"level":30,"msg":"x"}',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"1.0","method":"m"}',
    ];
    for (const line of [...junk, message(), batch, notification, failed]) stream.write(`${line}\n`);
    expect(text()).toBe(`${message()}\n${batch}\n${notification}\n${failed}\n`);
    expect(stray).toEqual(junk);
    expect(guard.diverted()).toBe(7);
  });

  it("takes several lines in one write apart", () => {
    const { stream, stray, text } = guarded();
    stream.write(`a\n${message(1)}\n\nb\r\n${message(2)}\n`);
    expect(text()).toBe(`${message(1)}\n${message(2)}\n`);
    expect(stray).toEqual(["a", "b"]);
  });

  it("puts a message together that comes in pieces, even within a character", () => {
    const { stream, stray, text } = guarded();
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { text: "grüße 🎉" } })}\n`);
    for (const byte of bytes) stream.write(Buffer.from([byte]));
    expect(text()).toBe(bytes.toString());
    expect(stray).toEqual([]);
  });

  it("saves a message that follows a print without a line break", () => {
    const { stream, stray, text } = guarded();
    stream.write("loading… ");
    stream.write("50% ");
    stream.write(`${message(1)}\n`);
    stream.write("{ ");
    stream.write(message(2).slice(0, 9));
    stream.write(`${message(2).slice(9)}\n`);
    expect(text()).toBe(`${message(1)}\n${message(2)}\n`);
    expect(stray).toEqual(["loading… 50%", "{"]);
  });

  it("calls back, in every form of write", async () => {
    const { stream, text } = guarded();
    const calls: string[] = [];
    const note = (name: string) => (error?: Error | null) => calls.push(`${name}:${String(error ?? "ok")}`);
    stream.write(`${message(1)}\n`, note("message"));
    stream.write("junk\n", "utf8", note("junk"));
    stream.write(Buffer.from("part"), note("part"));
    stream.write(Buffer.from(`${message(2)}\n`).toString("base64"), "base64", note("base64"));
    expect(calls).not.toContain("junk:ok");
    await expect.poll(() => calls.toSorted()).toEqual(["base64:ok", "junk:ok", "message:ok", "part:ok"]);
    expect(text()).toBe(`${message(1)}\n${message(2)}\n`);
  });

  it("tells when the stream is full", () => {
    const full: (() => void)[] = [];
    const stream = new Writable({ highWaterMark: 8, write: (_chunk, _encoding, done) => void full.push(done) });
    guardStdout({ stream, divert: () => {} });
    expect(stream.write("junk\n")).toBe(true);
    expect(stream.write(`${message()}\n`)).toBe(false);
    expect(stream.write("junk\n")).toBe(false);
    full.pop()?.();
  });

  it("leaves wrong arguments to the stream", () => {
    const { stream } = guarded();
    expect(() => stream.write(null as never)).toThrow(TypeError);
    expect(() => stream.write(7 as never)).toThrow(TypeError);
  });

  it("survives whoever takes the stray lines", () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
    const guard = guardStdout({
      stream,
      divert: () => {
        throw new Error("no");
      },
    });
    expect(stream.write("junk\n")).toBe(true);
    expect(guard.diverted()).toBe(1);
  });

  it("gives the stream back with what was not finished", () => {
    const { stream, stray, guard, text } = guarded();
    stream.write("unfinished");
    guard.release();
    guard.release();
    stream.write("plain\n");
    expect(stray).toEqual(["unfinished"]);
    expect(text()).toBe("plain\n");
    const second = guarded();
    second.stream.write(message());
    second.guard.release();
    expect(second.text()).toBe(`${message()}\n`);
  });

  it("lets everything pass after its release when somebody wrapped the stream meanwhile", () => {
    const { stream, guard, text } = guarded();
    const inner = stream.write.bind(stream);
    stream.write = ((chunk: string) => inner(chunk)) as typeof stream.write;
    guard.release();
    stream.write("plain\n");
    expect(text()).toBe("plain\n");
  });

  it("does not hold an unfinished line without limit", () => {
    const { stream, stray, guard } = guarded();
    const block = "x".repeat(1_048_576);
    for (let i = 0; i < 17; i++) stream.write(block);
    expect(guard.diverted()).toBe(1);
    expect(stray[0]).toHaveLength(17 * 1_048_576);
  });
});

describe("in a real process", () => {
  // The sources of other packages are loaded as well.
  const SOURCES = "--conditions=@recourse/source";
  const source = pathToFileURL(join(import.meta.dirname, "stdout.ts")).href;
  const root = join(import.meta.dirname, "../../../..");
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "stdout-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const script = (name: string, lines: readonly string[]): string => {
    const file = join(folder, name);
    writeFileSync(file, lines.join("\n"));
    return file;
  };

  it("keeps a server of the SDK that prints usable for a client of the SDK", async () => {
    const at = (name: string) => JSON.stringify(import.meta.resolve(name));
    const file = script("server.mjs", [
      `import { guardStdout } from ${JSON.stringify(source)};`,
      `import { McpServer } from ${at("@modelcontextprotocol/server")};`,
      `import { StdioServerTransport } from ${at("@modelcontextprotocol/server/stdio")};`,
      "guardStdout();",
      `const mcp = new McpServer({ name: "s", version: "1" });`,
      `mcp.registerTool("noisy", {}, () => { console.log("debugging"); process.stdout.write("no line break"); return { content: [{ type: "text", text: "fine" }] }; });`,
      "await mcp.connect(new StdioServerTransport());",
    ]);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [SOURCES, file],
      cwd: root,
      stderr: "pipe",
    });
    let err = "";
    transport.stderr?.on("data", (chunk) => (err += String(chunk)));
    const client = new Client({ name: "c", version: "1" });
    const errors: unknown[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(transport);
    for (let i = 0; i < 3; i++) {
      const result = await client.callTool({ name: "noisy", arguments: {} });
      expect(result.content).toEqual([{ type: "text", text: "fine" }]);
    }
    await client.close();
    expect(errors).toEqual([]);
    expect(err).toContain("debugging\nno line break\n");
  });
});

/** A console that writes past the stream of the process, as those of Bun and Deno do. */
function bypassing() {
  const past: string[] = [];
  const through: string[] = [];
  const log = (text: string) => past.push(text);
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      through.push(text);
      done();
    },
  });
  return { past, through, stream, console: { log, error: log, Console } };
}

it.each(["Bun", "Deno"])("makes prints of %s go through the stream, until it is released", (runtime) => {
  const { past, through, stream, console } = bypassing();
  const release = routeConsole(stream, { [runtime]: {}, console });
  console.log("a stray line");
  console.error("for standard error");
  expect(through).toEqual(["a stray line\n"]);
  release();
  console.log("free again");
  expect(past).toEqual(["for standard error", "free again"]);
});

it("leaves the console of Node alone, and one that cannot be routed", () => {
  const { past, stream, console } = bypassing();
  const original = console.log;
  routeConsole(stream, { console });
  routeConsole(stream, { Deno: {}, console: { log: original } });
  routeConsole(stream, { Deno: {} })();
  expect(console.log).toBe(original);
  expect(past).toEqual([]);
});
