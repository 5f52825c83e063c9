import { mcp } from "@recourse/core/dialects";
import { core } from "@recourse/core/reasons";
import { rowsOf } from "@recourse/test-kit/rows";
import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, it } from "vitest";
import { PASTED_ERRORS } from "../../test/pasted-errors.ts";
import { readFailure } from "./read-failure.ts";

const found = (text: string) => {
  const reading = readFailure(text);
  if (!reading.found) throw new Error(`nothing was recognised: ${reading.because}`);
  return reading;
};

/** The cause and the reason of a reading, such as `D60 protocol/session_not_found`. */
function answerFor(text: string): string {
  const reading = readFailure(text);
  if (!reading.found && reading.because === "unmarked_failure") return reading.because;
  const { cause, fault } = found(text);
  return [cause?.id, fault?.reason].filter((one) => one !== undefined).join(" ");
}

describe("readFailure", () => {
  it.each(PASTED_ERRORS)("reads the error of $source as $answer", ({ answer, text }) => {
    expect(answerFor(text)).toBe(answer);
    if (answer === "unmarked_failure") return;
    const { title, because, advice, recognised } = found(text);
    for (const part of [title, because, advice, recognised]) expect(part.trim()).not.toBe("");
    expect(advice).toMatch(/\.$/);
  });

  it("reads a socket that is missing as a service and not as a command", () => {
    expect(found("Error: connect ENOENT /var/run/docker.sock").title).toContain("Docker");
    expect(found("connect ENOENT \\\\.\\pipe\\docker_engine").title).toContain("Docker");
    expect(found("dial unix /run/app/api.sock: connect: no such file or directory").title).toContain(
      "/run/app/api.sock",
    );
    expect(found("connect ENOENT /tmp/.s.PGSQL.5432")).toMatchObject({ cause: { id: "D8" }, basis: "mapped" });
    const text = "connect ENOENT /var/run/docker.sock";
    expect(answerFor(JSON.stringify({ isError: true, content: [{ type: "text", text }] }))).toBe("core/unavailable");
    // Files that are missing are not commands.
    expect(readFailure("Error: stat ENOENT /srv/data")).not.toMatchObject({ cause: { id: "D1" } });
  });

  it("reads results that are spelled as in Python", () => {
    const text = "Input validation error: None is not of type 'string'";
    expect(answerFor(JSON.stringify({ content: [{ type: "text", text }], is_error: true }))).toBe(
      "tool/invalid_arguments",
    );
    const unmarked = { content: [], structured_content: { success: false }, is_error: false };
    expect(readFailure(JSON.stringify(unmarked))).toMatchObject({ because: "unmarked_failure" });
    expect(readFailure(JSON.stringify({ result: unmarked }))).toMatchObject({ because: "unmarked_failure" });
    expect(readFailure('{"content":[{"type":"text","text":"12 rows"}],"is_error":false}')).toMatchObject({
      because: "success",
    });
  });

  it("names the argument that a success says is missing", () => {
    const success = (text: string) =>
      readFailure(JSON.stringify({ content: [{ type: "text", text }], isError: false }));
    expect(success("missing required parameter: owner")).toMatchObject({
      because: "unmarked_failure",
      says: "missing required parameter: owner",
      argument: "owner",
    });
    for (const text of [
      "The manual says: missing required parameter: owner",
      "missing required parameter: owner\nThis line of the log means that…",
      "Missing required parameters are listed in chapter 3 of the manual",
    ])
      expect(success(text)).toMatchObject({ because: "success" });
    expect(success("missing required parameter: sk-ant-api03-Zx9QmW4rT7uYpL2kJhGf")).not.toHaveProperty("argument");
  });

  it("marks a guess from words alone in its title", () => {
    expect(found("Error: invalid value for the field email")).toMatchObject({
      title: "Perhaps: Arguments not valid",
      basis: "guessed",
    });
    expect(found('{"isError":true,"content":[{"type":"text","text":"Invalid email"}]}').title).not.toMatch(/^Perhaps/);
    expect(found("MCP error -32602: invalid field email").title).not.toMatch(/^Perhaps/);
    for (const text of ["Invalid signature on the parcel.", "[warning] The profile is invalid."])
      expect(readFailure(text)).toMatchObject({ found: false, because: "text" });
  });

  it("takes an OAuth state for a sign-in, and the state of an issue for an argument", () => {
    expect(answerFor("OAuth callback failed: state parameter mismatch")).toBe("D69 auth/unauthorized");
    expect(found("Invalid state parameter: must be one of open, closed").cause).toBeUndefined();
    expect(found("MCP error -32602: Invalid state parameter").cause).toBeUndefined();
    expect(
      found('{"isError":true,"content":[{"type":"text","text":"Invalid state parameter."}]}').cause,
    ).toBeUndefined();
  });

  it("goes on with the words of a text that only begins like JSON", () => {
    const waiting = found("[32815] Another instance is handling authentication on port 3334");
    expect(waiting.title).toBe("The sign-in waits for another instance");
    expect(waiting.code).toContain("3334");
    expect(answerFor("[7] Error: spawn uvx ENOENT")).toBe("D1");
  });

  it("names what the text names", () => {
    expect(found("Error: spawn uvx ENOENT").title).toBe('The command "uvx" was not found');
    expect(found("connect ECONNREFUSED 127.0.0.1:3000").title).toBe("Nothing listens on 127.0.0.1:3000");
    expect(found("ModuleNotFoundError: No module named 'mcp'").code).toContain("pip install mcp");
    expect(found("Error: Cannot find module 'express'").code).toContain("npm install");
    expect(found("zsh: command not found: uv").title).toBe('The command "uv" was not found');
    expect(found("Error: API_KEY environment variable is required").title).toBe("The setting API_KEY is missing");
    expect(found("spawn npx -y server ENOENT")).toMatchObject({
      title: 'The command "npx" was not found',
      because: "The whole command line was given as the name of the program.",
    });
    expect(found(PASTED_ERRORS[2]?.text ?? "").because).toContain("“instructions” is required");
  });

  it.each(rowsOf<[form: string, text: string, answer: string, around: string[]]>(import.meta.url, "forms"))(
    "reads %s",
    (_form, text, answer, around) => {
      expect(answerFor(text)).toBe(answer);
      expect(readFailure(text).around).toEqual(expect.arrayContaining([...around]));
    },
  );

  it("takes the cause and not its wrappers", () => {
    const log = [
      "2025-05-30 12:00:00.000 [info] Starting server weather",
      "2025-05-30 12:00:00.100 [warning] [server stderr] Traceback (most recent call last):",
      "2025-05-30 12:00:00.100 [warning] [server stderr] ModuleNotFoundError: No module named 'mcp'",
      "2025-05-30 12:00:00.200 [info] Connection state: Error Process exited with code 1",
      "2025-05-30 12:00:00.300 [error] MCP error -32000: Connection closed",
    ].join("\n");
    expect(found(log)).toMatchObject({ cause: { id: "D5" }, effect: "none", actor: "setup" });
    expect(found(log).recognised).toBe("ModuleNotFoundError: No module named 'mcp'");
  });

  it("tells a service behind a tool from the server itself", () => {
    const text = "connect ECONNREFUSED 127.0.0.1:9000";
    expect(answerFor(text)).toBe("D21 transport/unreachable");
    const failedTool = JSON.stringify({ result: { isError: true, content: [{ type: "text", text }] } });
    expect(found(failedTool)).toMatchObject({ leads: "fault", effect: "possible", basis: "guessed" });
    expect(answerFor(failedTool)).toBe("core/unavailable");
    expect(answerFor("Error executing tool search: Request failed with status code 503")).toMatch(/^(?!D)/);
  });

  it.each(rowsOf<[text: string, answer: string, effect: string]>(import.meta.url, "handshakes"))(
    "knows that no call was sent only if the handshake failed: %s",
    (text, answer, effect) => {
      expect(answerFor(text)).toBe(answer);
      expect(found(text).effect).toBe(effect);
    },
  );

  it("reads why a client gave a request up", () => {
    const cancelled = (reason: string) =>
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 4, reason } });
    expect(answerFor(cancelled("Error: MCP error -32001: Request timed out"))).toBe("core/timeout");
    expect(answerFor(cancelled("AbortError: This operation was aborted"))).toBe("core/cancelled");
    expect(readFailure(cancelled("no longer needed"))).toMatchObject({ found: false, because: "notification" });
    expect(readFailure(cancelled("x".repeat(200_000)))).toMatchObject({ found: false });
  });

  it.each([
    ["bash: npx: コマンドが見つかりません", "D1", "mapped"],
    ["« uvx » n'est pas reconnu en tant que commande interne ou externe", "D1", "mapped"],
    ["由于目标计算机积极拒绝，无法连接。", "D21 transport/unreachable", "mapped"],
    ["Zu viele Anfragen", "core/rate_limited", "guessed"],
    ["Error: tiempo de espera agotado", "core/timeout", "guessed"],
    ["エラー: アクセスが拒否されました", "auth/access_denied", "guessed"],
    ["Erreur : ressource introuvable", "core/not_found", "guessed"],
  ])("reads other languages: %s", (text, answer, basis) => {
    expect(answerFor(text)).toBe(answer);
    expect(found(text).basis).toBe(basis);
  });

  it("believes a sender that states its fault more than the words beside it", () => {
    const { fault } = core.conflict({});
    const reading = found(`Error: Request timed out ${JSON.stringify(mcp.encode(fault))}`);
    expect(reading).toMatchObject({ leads: "fault", basis: "stated", fault: { reason: "core/conflict" } });
    expect(reading.cause).toBeUndefined();
  });

  it.each([
    ["", "empty"],
    ["I like bananas very much", "text"],
    ["How do I write a test for session handling?", "text"],
    ["The server started and listens on port 3000", "text"],
    ['{"a":1}', "json"],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"q":"spawn uvx ENOENT"}}}', "request"],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', "notification"],
    [
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"How to fix ECONNREFUSED 127.0.0.1:1"}]}}',
      "success",
    ],
    ['{"result":{"content":[],"structuredContent":{"success":false}}}', "unmarked_failure"],
  ])("recognises no failure in %s", (text, because) => {
    expect(readFailure(text)).toMatchObject({ found: false, because });
  });

  it("says that a code of its own means something only to the server", () => {
    const reading = found("MCP error -32000: Frobnication refused by the quux");
    expect(reading).toMatchObject({ leads: "fault", title: "The server reports an error of its own (-32000)" });
    expect(JSON.stringify(reading)).not.toContain("not understood");
  });

  it("shows no secrets", () => {
    const secret = "sk-ant-api03-Zx9QmW4rT7uYpL2kJhGf";
    for (const text of [
      `Error: spawn uvx ENOENT --token=${secret}`,
      `connect ECONNREFUSED postgres://app:hunter2secret@db:5432 Authorization: Bearer ${secret}`,
      `{"error":{"code":-32000,"message":"invalid x-api-key ${secret}"}}`,
      `HTTP/1.1 401 Unauthorized\nAuthorization: Bearer ${secret}\n\n`,
      `spawn ${secret} ENOENT`,
    ]) {
      const shown = JSON.stringify(readFailure(text));
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain("hunter2secret");
    }
  });

  it.each([
    ["brackets", "{[".repeat(50_000)],
    ["quotes in brackets", '{"a":'.repeat(50_000)],
    ["nested JSON", `${"[".repeat(30_000)}${"]".repeat(30_000)}`],
    [
      "strings in strings",
      Array.from({ length: 12 }).reduce<string>((inner) => JSON.stringify({ error: inner }).slice(0, 60_000), "x"),
    ],
    ["spaces", `MCP error -32000:${" ".repeat(300_000)}`],
    ["words", "spawn session tool error status code connection timed ".repeat(10_000)],
    ["capitals", "AB_".repeat(100_000)],
    ["a long line", `Error ${"a".repeat(900_000)}`],
    ["escapes", "\u001b]".repeat(100_000)],
    ["half characters", "\ud83d".repeat(10_000)],
  ])("stays quick with %s", async (_what, text) => {
    await expectCost({ work: () => readFailure(text), yardstick: () => Array.from(text), atMost: 1_000 });
  });
});
