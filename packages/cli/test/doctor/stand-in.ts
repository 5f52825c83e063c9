// Programs that fail in one way each: `node stand-in.ts <name>`.
import { createServer } from "node:http";
import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "stand-in", version: "1.0.0" },
  },
  "tools/list": { tools: [{ name: "one", inputSchema: { type: "object" } }] },
};

/** Answers as a small server of the older era does. `write` decides how a message reaches stdout. */
function serve(write: (message: object) => void = (message) => print(`${JSON.stringify(message)}\n`)): void {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line) as { id?: number; method: string };
    if (id === undefined) return;
    const result = RESULTS[method];
    const body = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
    write({ jsonrpc: "2.0", id, ...body });
  });
}

function print(text: string): void {
  process.stdout.write(text);
}

/** Says on stderr that nothing more will come. */
function printLast(text: string): void {
  print(text);
  console.error("stand-in: that was all");
}

function stayAlive(): void {
  setInterval(() => {}, 1_000);
}

const [, , name = "", ...args] = process.argv;
const STAND_INS: Readonly<Record<string, () => unknown>> = {
  healthy: () => serve(),
  "no-tools": () => {
    delete (RESULTS["initialize"] as { capabilities: { tools?: object } }).capabilities.tools;
    serve();
  },
  bindings() {
    throw new Error(
      "Could not locate the bindings file. Tried:\n → /srv/node_modules/better-sqlite3/build/binding.node",
    );
  },
  "native-module": () => process.dlopen({ exports: {} } as never, import.meta.filename),
  "denied-folder"() {
    throw new Error("EACCES: permission denied, mkdir '/var/lib/shop'");
  },
  "other-python"() {
    console.error("  × No solution found when resolving tool dependencies:");
    console.error("  ╰─▶ Because the current Python version (3.9.6) does not satisfy Python>=3.10");
    process.exit(1);
  },
  "missing-variable"() {
    console.error("Error: the environment variable SHOP_API_KEY is required");
    process.exit(1);
  },
  "database-away": () => createConnection(Number(args[0]), "127.0.0.1"),
  "usage-text": () => print("Usage: shop-server <command>\n\nCommands:\n  serve  start the server\n"),
  banner() {
    print("Shop server 1.0 starting\n");
    serve();
  },
  "log-later"() {
    serve();
    // After the first answers.
    setTimeout(() => print("cache is warm\n"), 300);
  },
  "content-length": () =>
    serve((message) => {
      const text = JSON.stringify(message);
      printLast(`Content-Length: ${text.length}\r\n\r\n${text}`);
    }),
  "byte-order-mark": () => serve((message) => printLast(`\ufeff${JSON.stringify(message)}\n`)),
  pretty: () => serve((message) => printLast(`${JSON.stringify(message, undefined, 2)}\n`)),
  "no-newline": () => serve((message) => printLast(JSON.stringify(message))),
  http() {
    const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1", () => {
      console.error(`Shop listening on http://127.0.0.1:${(server.address() as { port: number }).port}`);
    });
  },
  silent: stayAlive,
  async slow() {
    // A program that takes its time to start.
    await sleep(300);
    serve();
  },
  killed() {
    process.kill(process.pid, "SIGKILL");
    stayAlive();
  },
  aborted: () => process.abort(),
  "out-of-memory"() {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, () => ({})));
  },
  "ends-later"() {
    serve();
    // After the first answers.
    setTimeout(() => {
      throw new Error("the queue is gone");
    }, 200);
  },
  "port-in-use": () => createServer().listen(Number(args[0]), "127.0.0.1"),
  "code-error": () => (undefined as unknown as { start(): void }).start(),
  "both-refused": () =>
    serve((message) =>
      print(`${JSON.stringify({ ...message, result: undefined, error: { code: -32603, message: "out of order" } })}\n`),
    ),
  "list-fails": () => {
    delete (RESULTS as Record<string, object>)["tools/list"];
    serve();
  },
  flood() {
    const write = (): void => {
      while (process.stdout.write(`${"x".repeat(10_000)}\n`));
      process.stdout.once("drain", write);
    };
    write();
  },
  "flood-stderr"() {
    const write = (): void => {
      while (process.stderr.write(`${"y".repeat(10_000)}\n`));
      process.stderr.once("drain", write);
    };
    write();
  },
  /** Shows what it was given, raw and with sequences for terminals. */
  "tells-secrets"() {
    console.error(`Error: the token ${process.env["SHOP_TOKEN"]} is required\u001b[2J\u202e`);
    process.exit(1);
  },
  "tells-secrets-late"() {
    console.error(`Error: ${"x".repeat(150)} ${process.env["SHOP_TOKEN"]} is required`);
    process.exit(1);
  },
  /** Leaves a child behind that ignores the end of its parent. */
  async "leaves-child"() {
    const { spawn } = await import("node:child_process");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    console.error(`child ${child.pid}`);
    serve();
  },
  "version-2099": () => {
    (RESULTS["initialize"] as { protocolVersion: string }).protocolVersion = "2099-01-01";
    serve();
  },
  "version-refused": () =>
    serve((message) =>
      print(
        `${JSON.stringify({
          ...message,
          result: undefined,
          error: { code: -32602, message: "Unsupported protocol version", data: { supported: ["2024-11-05"] } },
        })}\n`,
      ),
    ),
  /** Fails as the SDK of Python does. */
  "task-group"() {
    console.error(
      [
        "  + Exception Group Traceback (most recent call last):",
        '  |   File "/srv/server.py", line 12, in main',
        "  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)",
        "  +-+---------------- 1 ----------------",
        "    | Traceback (most recent call last):",
        '    |   File "/srv/client.py", line 7, in connect',
        "    | httpx.ConnectError: All connection attempts failed",
        "    +------------------------------------",
      ].join("\n"),
    );
    process.exit(1);
  },
  /** A place in a file looks like a port. */
  "stack-line"() {
    console.error("AxiosError: the server failed\n    at settle (/srv/node_modules/axios/dist/node/axios.cjs:1684:24)");
    console.error("server error in axios.cjs:1684:24");
    console.error("stand-in: that was all");
    stayAlive();
  },
  /** Leaves a program in a group of its own behind. */
  async daemon() {
    const { spawn } = await import("node:child_process");
    // It runs on until it is killed.
    spawn(process.execPath, ["-e", "setTimeout(() => {}, 20_000)"], { stdio: "ignore", detached: true }).unref();
    serve();
    process.stdin.on("end", () => process.exit(0));
  },
  /** The same, and it does not answer. */
  async "leaves-child-silently"() {
    const { spawn } = await import("node:child_process");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    console.error(`pids ${process.pid} ${child.pid}`);
    stayAlive();
  },
};
await STAND_INS[name]?.();
