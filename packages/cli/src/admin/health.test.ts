import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { healthCommand } from "../commands/operate.ts";
import { runProgram } from "../program/run.ts";

async function health(args: readonly string[], { cwd = ".", signal = new AbortController().signal } = {}) {
  const said = { out: "", err: "" };
  const output = (name: keyof typeof said) => ({
    write(text: string) {
      said[name] += text;
    },
  });
  const exit = await runProgram([healthCommand], ["health", ...args], {
    stdin: (async function* () {})(),
    stdout: output("out"),
    stderr: output("err"),
    env: { LANG: "en_US.UTF-8" },
    cwd,
    now: Date.now,
    signal,
  });
  return { exit, ...said };
}

/** A server that answers as given; its address without a slash at the end. */
async function serveWith(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers as a gateway that is starting. */
const starting: RequestListener = ({ url }, outgoing) => {
  const status = url === "/health" ? 200 : url === "/ready" ? 503 : 404;
  outgoing.writeHead(status).end(JSON.stringify({ status: status === 200 ? "ok" : "starting" }));
};

describe("recourse health", () => {
  it("asks /health, or with --ready /ready, and says on one line what it got", async () => {
    const url = await serveWith(starting);
    expect(await health([url])).toEqual({ exit: "ok", out: `✔ ${url}/health 200 ok\n`, err: "" });
    expect(await health([url, "--ready"])).toEqual({ exit: "findings", out: `✖ ${url}/ready 503 starting\n`, err: "" });
    expect(await health([`${url}/ready`])).toMatchObject({ exit: "findings" });
    expect(await health([`${url}/other`])).toMatchObject({ exit: "findings" });
  });

  it("gives the same as data", async () => {
    const url = await serveWith(starting);
    expect(JSON.parse((await health([url, "--json"])).out)).toEqual({
      ok: true,
      url: `${url}/health`,
      status: 200,
      state: "ok",
      ms: expect.any(Number),
    });
  });

  it("takes a redirect, a page of another server and no page at all for what they are", async () => {
    const redirect = await serveWith((_, outgoing) => void outgoing.writeHead(302, { location: "/health" }).end());
    expect(await health([redirect])).toMatchObject({ exit: "findings", out: expect.stringContaining("302") });
    const foreign = await serveWith((_, outgoing) => void outgoing.end('{"status":"\\u001b[31mred"}'));
    expect((await health([foreign])).out).not.toContain("\u001b[31m");
    const huge = await serveWith((_, outgoing) => void outgoing.end("x".repeat(10_000_000)));
    expect(await health([huge])).toMatchObject({ exit: "ok", out: expect.stringContaining("200 unknown") });
    const cut = await serveWith((incoming) => void incoming.socket.destroy());
    expect(await health([cut])).toMatchObject({ exit: "findings", out: expect.stringContaining("cannot be reached") });
  });

  it("exits with 1 if nothing listens", async () => {
    const { exit, out } = await health(["http://127.0.0.1:1"]);
    expect(exit).toBe("findings");
    expect(out).toBe("✖ http://127.0.0.1:1/health cannot be reached: ECONNREFUSED\n");
  });

  it.each([
    ["never answers", () => {}],
    ["never ends its answer", (_, outgoing) => void outgoing.writeHead(200).write("{")],
  ] satisfies [string, RequestListener][])("does not wait for a server that %s", async (_, listener) => {
    const url = await serveWith(listener);
    const { exit, out } = await health([url, "--timeout", "0.2"]);
    expect({ exit, out }).toEqual({ exit: "findings", out: `✖ ${url}/health did not answer within 0.2 s\n` });
  });

  it("shows no password of an address", async () => {
    const url = await serveWith(starting);
    const { exit, out } = await health([url.replace("//", "//ann:s3cret-word@")]);
    expect([exit, out.includes("s3cret-word")]).toEqual(["ok", false]);
  });

  it("ends when it is interrupted", async () => {
    const url = await serveWith(() => {});
    expect(await health([url, "--timeout", "60"], { signal: AbortSignal.timeout(50) })).toMatchObject({
      exit: "interrupted",
    });
  });

  it.each([
    [["a", "b"], "health takes one address."],
    [["gateway:8080"], "begins with http:// or https://"],
    [["http://h/ready", "--ready"], "With --ready, give the address without a path."],
    [["http://h", "--config", "x"], "Give an address or --config, not both."],
    [["--timeout", "0"], "--timeout needs a number of seconds up to 60."],
    [["--timeout", "soon"], "--timeout needs a number of seconds up to 60."],
    [["--config", "none.yaml"], "There is no file none.yaml."],
  ])("refuses %j with 2", async (args, message) => {
    const { exit, err } = await health(args);
    expect(exit).toBe("usage");
    expect(err.replaceAll(/\s+/g, " ")).toContain(message);
  });
});

describe("recourse health --config", () => {
  async function withFile(text: string, args: readonly string[] = []) {
    const cwd = mkdtempSync(join(tmpdir(), "health-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    writeFileSync(join(cwd, "gateway.yaml"), text);
    return health(["--config", "gateway.yaml", ...args], { cwd });
  }

  it("asks at telemetry.listen, or else at listen, on this machine", async () => {
    const { port } = new URL(await serveWith(starting));
    const ok = { exit: "ok", out: `✔ http://127.0.0.1:${port}/health 200 ok\n`, err: "" };
    expect(await withFile(`listen: 0.0.0.0:${port}\n`)).toEqual(ok);
    expect(await withFile(`listen: 0.0.0.0:1\ntelemetry: { listen: 0.0.0.0:${port} }\n`)).toEqual(ok);
    expect(await withFile(`telemetry: { listen: "${port}" }\n`, ["--ready"])).toMatchObject({ exit: "findings" });
  });

  it("does not care what is wrong elsewhere in the file, such as a secret that is gone", async () => {
    const { port } = new URL(await serveWith(starting));
    const text = `listen: 127.0.0.1:${port}\nstore: "\${NOT_SET}"\nupstreams: 3\nname: "\${file:/nowhere}"\n`;
    expect(await withFile(text)).toMatchObject({ exit: "ok" });
  });

  it.each([
    ["listen: nowhere\n", "gateway.yaml:1:9 listen: expected a port, or host:port."],
    ["listen: [\n", "This is not valid YAML"],
    ["listen: 127.0.0.1:0\n", "has the port 0"],
  ])("refuses %j with 2", async (text, message) => {
    const { exit, err } = await withFile(text);
    expect(exit).toBe("usage");
    expect(err.replaceAll(/\s+/g, " ")).toContain(message);
  });
});
