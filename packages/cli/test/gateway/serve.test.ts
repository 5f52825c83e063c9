import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, recourse, says, start } from "./support.ts";

const README = readFileSync(join(import.meta.dirname, "../../../gateway/README.md"), "utf8");
const isWindows = process.platform === "win32";

/** Two bugs that a signal sets off. */
const BUGS = `data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => {
  Promise.reject(new Error("nobody waits for this"));
  setImmediate(() => { throw new Error("nobody catches this"); });
})`)}`;

// Windows has no signals: killing a process ends it at once.
describe.skipIf(isWindows)("recourse serve", { timeout: 180_000 }, () => {
  it("answers the calls of the README as the README says", async () => {
    const { url, key, child, ended } = await start();
    const samples = [...README.matchAll(/^curl .* -d '(.*)'\n```[\s\S]*?^```(json|text)\n(.*)\n```$/gm)];
    expect(samples).toHaveLength(2);
    for (const [, body = "", form, answer = ""] of samples) {
      const headers = {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      };
      const response = await fetch(url, { method: "POST", headers, body });
      const text = await response.text();
      const said = form === "json" ? text : (JSON.parse(text) as Answer).result.content[0]?.text;
      expect(plain(said ?? "")).toBe(plain(answer));
    }
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("reads its file again after SIGHUP, says why a wrong one is not taken over, and ends with 0 after Ctrl-C", async () => {
    const { said, cwd, child, ended } = await start();
    const file = join(cwd, "gateway.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("store: memory", "store: memori"));
    child.kill("SIGHUP");
    await says(said, "gateway.yaml was not taken over; the gateway keeps its configuration");
    expect(said.err).toContain("store: expected memory, or { redis: …, postgres: … }.");
    writeFileSync(file, `${text}name: other\n`);
    child.kill("SIGHUP");
    await says(said, "gateway.yaml was taken over");
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });

  it("goes on serving after an exception and a rejection that nothing catches", async () => {
    const { said, url, key, child, ended } = await start({ NODE_OPTIONS: `--import=${BUGS}` });
    child.kill("SIGUSR2");
    await says(said, "uncaught exception");
    await says(said, "unhandled rejection");
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
    expect(answer.status).toBe(200);
    const metrics = await (await fetch(new URL("/metrics", url))).text();
    expect(metrics).toContain('recourse_gateway_unexpected_total{where="uncaught exception"} 1');
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("checks the file that init writes", async () => {
    const cwd = emptyFolder();
    expect(await recourse(cwd, ["init"]).ended).toBe(0);
    const check = recourse(cwd, ["serve", "--check"]);
    expect(await check.ended, check.said.err).toBe(0);
    expect(check.said.out).toBe("gateway.yaml: store memory, 1 key in the file\n  demo  1 tool, MCP 2025-11-25\n");
  });
});

interface Answer {
  readonly result: { readonly content: readonly { readonly text: string }[] };
}

/** Ids differ by run. */
function plain(text: string): string {
  return text.replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, "ID").trim();
}
