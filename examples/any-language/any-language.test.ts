import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { callTool } from "./call.ts";

/** Tells whether an interpreter is there, and prints why its tests are left out where it is not. */
function isInstalled(command: string, args: readonly string[]): boolean {
  const { status } = spawnSync(command, args);
  if (status !== 0) console.warn(`${command} is not installed, so its server is not tested`);
  return status === 0;
}

const LOOK = "The call may have taken effect. Check the current state before repeating the call.";
const LIMIT = { timeout: 60_000 };

describe.skipIf(!isInstalled("python3", ["-c", "import json"]))("a server in plain Python", LIMIT, () => {
  const call = (tool: string, options?: object) => callTool("python3", "server.py", tool, options);

  it("works", async () => {
    expect(await call("works")).toMatchObject({ ok: true, decisions: [] });
  });

  it("quotes a traceback as the words of the server", async () => {
    const answer = await call("traceback");
    expect(answer).toMatchObject({ reason: "tool/failed", effect: "possible", decisions: ["stop: final"] });
    expect(answer.text).toMatch(
      /^The tool "traceback" reported a failure\. Quote from the server: “Traceback .*KeyError: '7'” /,
    );
    expect(answer.text.endsWith(LOOK)).toBe(true);
  });

  it("does not repeat after an error with a code that MCP does not define", async () => {
    expect(await call("rpc_error")).toMatchObject({
      reason: "core/unrecognised",
      effect: "possible",
      decisions: [expect.stringMatching(/^stop: /)],
      text: "The call failed for an unknown reason. Quote from the server: “database is locked” The call may have taken effect. Check the current state before repeating the call.",
    });
  });

  it("says how the process ended, and keeps its last words for the operator", async () => {
    const answer = await call("exits");
    expect(answer).toMatchObject({ effect: "possible", stderr: ["Fatal Python error: out of memory"] });
    expect(answer.text).toBe(`The server's process ended with code 3 before the answer came. ${LOOK}`);
    expect(answer.decisions).toEqual(["stop: unsafe"]);
  });

  it("reads on after a line that is not a message", async () => {
    expect(await call("garbage")).toMatchObject({ ok: true });
  });

  it("ends a call that gets no answer", async () => {
    const answer = await call("silent");
    expect(answer.text).toBe(`No answer came in time (limit: 1.5 seconds). ${LOOK}`);
    expect(answer).toMatchObject({ effect: "possible" });
  });

  it("repeats where you say that this does no harm", async () => {
    const { decisions } = await call("silent", { repeatable: true, timeoutMs: 300 });
    expect(decisions[0]).toBe("repeat");
  });
});

describe.skipIf(!isInstalled("perl", ["-MJSON::PP", "-e", "1"]))("a server in plain Perl", LIMIT, () => {
  const call = (tool: string) => callTool("perl", "server.pl", tool);

  it("guesses the kind from the text of a die", async () => {
    const answer = await call("dies");
    expect(answer.text).toMatch(
      /^Access is denied\. Quote from the server: “Can't open orders\.db: Permission denied at /,
    );
    expect(answer).toMatchObject({ effect: "possible", decisions: [expect.stringMatching(/^stop: /)] });
  });

  it("quotes what the server says about the arguments", async () => {
    expect(await call("wrong_arguments")).toMatchObject({
      effect: "none",
      text: "The parameters of the request are not valid. Quote from the server: “order must be a number” Correct the arguments and call again.",
    });
  });

  it("takes a failure that is sent as a success for a success", async () => {
    // Nobody but the server knows whether a text with the member `error` is a failure.
    expect(await call("false_success")).toMatchObject({ ok: true });
  });
});
