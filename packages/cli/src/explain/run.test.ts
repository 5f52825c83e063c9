import { describe, expect, it } from "vitest";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import type { Io } from "../program/command.ts";
import { findTopic, topicNames } from "./find-topic.ts";
import { runExplain } from "./run.ts";

async function explain(
  positionals: readonly string[],
  {
    options = {},
    stdin = [],
    tty = false,
    columns = 80,
  }: { options?: object; stdin?: string[]; tty?: boolean; columns?: number } = {},
) {
  const out: string[] = [];
  const bytes = (async function* () {
    for (const text of stdin) yield new TextEncoder().encode(text);
  })();
  const io: Io = {
    stdin: Object.assign(bytes, { isTTY: tty }),
    stdout: { columns, write: (text) => void out.push(text) },
    stderr: { write: () => {} },
    env: { LANG: "C.UTF-8" },
    cwd: "/",
    now: () => 0,
    signal: new AbortController().signal,
  };
  const outcome = await runExplain({ positionals, options: { ...options } }, io);
  return { outcome, out: out.join("") };
}

const textOf = async (...asked: string[]) => (await explain(asked)).out;

describe("recourse explain", () => {
  it("lists everyone who sends a code", async () => {
    const text = await textOf("-32001");
    for (const part of [
      "has no fixed meaning",
      "core/timeout  effect possible, look before repeating",
      "MCP SDK v1, your side",
      "mongodb-mcp-server, 400",
      "erlmcp",
      "Paste it",
    ])
      expect(text).toContain(part);
  });

  it("knows statuses, names of the SDK and of the system", async () => {
    expect(await textOf("404")).toMatch(/session has ended[\s\S]*a REST API {2}not found/);
    expect(await textOf("REQUEST_TIMEOUT")).toContain("MCP SDK v2, your side");
    expect(await textOf("econnrefused")).toMatch(
      /transport\/unreachable[\s\S]*connection refused[\s\S]*recourse doctor/,
    );
    expect(await textOf("ENOENT")).toContain("no such file or directory");
    expect(await textOf("CERT_HAS_EXPIRED")).toContain("the certificate is not trusted");
    expect(await textOf("4242")).toContain("No sender of this code is known.");
  });

  it("explains reasons, kinds and classes", async () => {
    const reason = await textOf("core/timeout");
    for (const part of [
      "No answer in time",
      "Causes",
      "What to do",
      "The model reads",
      "erlmcp  -32009",
      "docs/errors/core/timeout.md",
    ])
      expect(reason).toContain(part);
    expect(await textOf("session_not_found")).toContain("protocol/session_not_found");
    expect(await textOf("rate_limited")).toContain("core/rate_limited");
    expect(await textOf("retryable")).toContain("a class of failures");
  });

  it("explains causes of doctor, in any case of letters", async () => {
    expect(await textOf("d10")).toMatch(/D10 {2}.*stdout[\s\S]*guardStdout\(\)/);
  });

  it.each(PROBE_CHECKS.map(({ id }) => id))("explains the check %s", async (id) => {
    const text = await textOf(id);
    for (const part of [id, "fails when", "What to do", `recourse probe --only ${id}`]) expect(text).toContain(part);
  });

  it("reads a whole message", async () => {
    const text = await textOf('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Tool seach not found"}}');
    for (const part of ["tool/not_found", 'No such tool: "seach"', "choose_another", "recourse explain -32602"])
      expect(text).toContain(part);
  });

  it("reads a sentence, pasted with or without quotes", async () => {
    expect(await textOf("MCP error -32602: Tool seach not found")).toContain("tool/not_found");
    expect(await textOf("MCP", "error", "-32001:", "Request", "timed", "out")).toContain("core/timeout");
    expect(await textOf("rate limit exceeded, try again later")).toMatch(
      /core\/rate_limited[\s\S]*the words alone suggest it/,
    );
  });

  it("says in its title that it guesses", async () => {
    const text = await textOf("Error: invalid value for the field email");
    expect(text).toMatch(/^\s{0,4}Perhaps: Arguments not valid[\s\S]*how sure {1,8}the words alone suggest it/);
  });

  it("shows what a failure that was sent as a success says", async () => {
    const text = "missing required parameter: owner";
    const message = JSON.stringify({ content: [{ type: "text", text }], structured_content: null, is_error: false });
    const shown = await textOf(message);
    for (const part of ["A failure, sent as a success", text, 'Give the argument "owner"', "isError"])
      expect(shown).toContain(part);
    expect(shown).not.toContain("No failure");
  });

  it("takes only what can be JSON for JSON that is cut", async () => {
    const [number, object, list] = await Promise.all(
      ["[32815] I like bananas", "{error:{code:x}}", '[{"a":'].map((text) => explain([text])),
    );
    expect(JSON.stringify(number?.outcome)).toContain("Nothing is known about");
    for (const one of [object, list]) expect(JSON.stringify(one?.outcome)).toContain("begins like JSON");
  });

  it("reads what is piped in", async () => {
    const { out } = await explain([], { stdin: ['{"error":{"code":-327', '00,"message":"Parse error"}}\n'] });
    expect(out).toContain("protocol/parse_error");
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', "This is a request (tools/call), not an answer."],
    ['{"jsonrpc":"2.0","method":"notifications/x"}', "This is a notification (notifications/x), not an answer."],
    ['{"result":{"content":[{"type":"text","text":"fine"}]}}', "This answer is a success."],
    ['{"result":{"content":[],"structuredContent":{"success":false}}}', "says success, but its content says"],
  ])("says why %s is no failure", async (message, because) => {
    const { outcome, out } = await explain([message], { columns: 200 });
    expect(outcome).toEqual({ exit: "ok" });
    expect(out).toContain(because);
  });

  it("shows no control characters, and nothing of a secret in a message", async () => {
    const text = "Request failed: postgres://me:hunter2secret@db/x \u001b[2J";
    const out = await textOf(JSON.stringify({ result: { isError: true, content: [{ type: "text", text }] } }));
    expect(out).not.toContain("\u001b");
    expect(out).not.toContain("hunter2secret");
  });

  it("gives the same as data", async () => {
    for (const asked of [
      "-32001",
      "core/timeout",
      "timeout",
      "retryable",
      "D10",
      '{"error":{"code":-32700,"message":"x"}}',
    ]) {
      const { out } = await explain([asked], { options: { json: true } });
      expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(findTopic(asked))));
    }
  });

  it("does not break lines of code", async () => {
    const { out } = await explain(["D10"], { columns: 40 });
    expect(out).toContain('    import { guardStdout } from "@recourse/faults/server";\n');
  });

  it.each([40, 80, 120])("fits into %i columns", async (columns) => {
    for (const asked of ["-32602", "core/timeout", "D22"]) {
      const { out } = await explain([asked], { columns });
      const wrapped = out.split("\n").filter((line) => !/^ +(?:recourse|https:)/.test(line));
      for (const line of wrapped) expect(line.length, line).toBeLessThanOrEqual(columns);
    }
  });

  it("suggests what is near to something unknown", async () => {
    expect((await explain(["core/timout"])).outcome).toEqual({
      failure: {
        exit: "usage",
        code: "unknown-topic",
        message: 'Nothing is known about "core/timout". Did you mean core/timeout?',
        fix: "recourse explain core/timeout",
      },
    });
    expect((await explain(["zzzzzzzz"])).outcome).toMatchObject({ failure: { fix: "recourse explain --help" } });
    expect((await explain(["\u001b[2J"])).outcome).toMatchObject({
      failure: { message: expect.stringContaining("\\u001b[2J") },
    });
  });

  it.each([[["{"]], [['{"error":']], [["[1,"]]])("refuses JSON that is cut: %j", async (asked) => {
    expect((await explain(asked)).outcome).toMatchObject({
      failure: { exit: "usage", message: expect.stringContaining("cannot be parsed") },
    });
  });

  it.each([["foo bar baz"], ['{"a":1}'], ["[1,2]"], ["The quick brown fox\njumps"]])(
    "says what helps if nothing is recognised in %j",
    async (asked) => {
      const { outcome, out } = await explain([asked]);
      expect(out).toBe("");
      expect(outcome).toMatchObject({
        failure: {
          exit: "usage",
          message: expect.stringMatching(/Paste the whole line.*recourse decode.*recourse doctor/),
        },
      });
    },
  );

  it("reads what hosts show, as one line, why, effect and what to do", async () => {
    const log = '2025-03-04T10:09:08.886Z [sentry] [error] spawn uvx ENOENT {"context":"connection"}';
    const { out } = await explain([], { stdin: [log, "\n"], columns: 100 });
    for (const part of [
      'The command "uvx" was not found  D1',
      "what to do   Install uv",
      "took effect  none: nothing was changed",
      "recognised   spawn uvx ENOENT\n",
      "a log line",
      "    which uvx",
      "recourse explain D1",
    ])
      expect(out).toContain(part);
  });

  it("takes the innermost cause of several lines", async () => {
    const { out } = await explain([], {
      stdin: [
        "MCP error -32000: Connection closed\n",
        "Error: Cannot find module '/app/dist/index.js'\n    at x (y.js:1:2)\n",
      ],
    });
    expect(out).toContain('A file or module is missing: "/app/dist/index.js"  D5');
  });

  it("reads JSON that is cut as far as it goes, and says so", async () => {
    const { outcome, out } = await explain(['{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not fou']);
    expect(outcome).toEqual({ exit: "ok" });
    expect(out).toMatch(/Method not found[\s\S]*a text that is cut/);
  });

  it("gives the reading as data, without secrets", async () => {
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const { out } = await explain([`Error: HTTP 401 for https://a.example/mcp with Authorization: Bearer ${secret}`], {
      options: { json: true },
    });
    expect(out).not.toContain(secret);
    expect(JSON.parse(out)).toMatchObject({
      topic: "message",
      failure: true,
      leak: "a credential",
      reading: { leads: "cause", cause: { id: "D32" }, fault: { reason: "auth/unauthorized" }, httpStatus: 401 },
    });
  });

  it("asks for something to explain, and does not wait at a terminal", async () => {
    const wanted = { failure: { exit: "usage", fix: "recourse explain -32001" } };
    expect((await explain([], { tty: true })).outcome).toMatchObject(wanted);
    expect((await explain([], { stdin: [" \n"] })).outcome).toMatchObject(wanted);
    expect((await explain([], { stdin: ["x".repeat(1_100_000)] })).outcome).toMatchObject({
      failure: { fix: "recourse decode < file" },
    });
  });
});

describe("topicNames", () => {
  it("lists names that are known, each once", () => {
    const names = topicNames();
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(findTopic(name), name).toBeDefined();
  });
});
