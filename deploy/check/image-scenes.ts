// What the running image is put through: starts, calls, signals, and what goes wrong in real life.
import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@recourse/test-kit/network";
import { Client } from "undici";
import { traffic } from "../../bench/gateway-soak/traffic.ts";
import { callTool, startUpstream, status } from "./image-peers.ts";
import type { Running, RunOptions, Runtime } from "./image-run.ts";
import { until } from "./part.ts";

/** Problems, or why it cannot be run. */
type Outcome = readonly string[] | { readonly notRun: string };
type Scene = (runtime: Runtime) => Promise<Outcome>;

const START_MS = 60_000;
/** The user of OpenShift and of others that give each project a range: any number, and the group 0. */
const ARBITRARY_USER = "1000680000:0";
const KEY = "rk_soak_0_0123456789abcdef";
const SOAK_SECONDS = 60;
const SOAK_PER_SECOND = 100;
/** The share of calls that succeed if they can: a busy machine delays some beyond their time limit. */
const SOAK_SUCCESS = 0.95;
const LIMIT_MIB = 512;
const DEMO_SERVER = join(import.meta.dirname, "../kubernetes/overlays/try/demo-server.mjs");
const NODE = "/nodejs/bin/node";
const FIND_ORDER = { name: "shop__find_order", given: { order: 7 } };
/** Nobody listens: whatever was sent has had no effect, and can be sent to another replica. */
const REFUSED = "ECONNREFUSED";

/** All scenes by name. */
export const SCENES: Readonly<Record<string, Scene>> = {
  "says its version": saysVersion,
  "runs read-only as 65532 without rights, and answers /health, /ready and /metrics": runsConfined,
  "serve --check": servesCheck,
  "SIGTERM: a call under way ends, new connections are refused, exit 0": drains,
  "a second signal ends it at once": endsAtOnce,
  "a call that does not end is cut off after drain": cutsOff,
  "SIGHUP takes a changed file over": reloads,
  "programs of stdio upstreams are reaped, without a /tmp to write to": reaps,
  "any user": anyUser,
  "what is wrong is said, and ends it": saysWhatIsWrong,
  [`${LIMIT_MIB} MiB hold under ${SOAK_SECONDS} s of mixed traffic`]: holdsMemory,
};

/** A folder for /etc/recourse that every user can read. */
function configFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "recourse-image-config-"));
  chmodSync(folder, 0o755);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: 0o644 });
  return folder;
}

interface Started {
  readonly running: Running;
  readonly port: number;
  readonly config: string;
}

/** Starts the gateway with a file, and passes it on once it listens. Ends it afterwards. */
async function withGateway(
  runtime: Runtime,
  {
    yaml,
    files = {},
    ...more
  }: { yaml: (port: number) => string; files?: Record<string, string> } & Partial<RunOptions>,
  scene: (started: Started) => Promise<Outcome>,
): Promise<Outcome> {
  const port = await freePort();
  const config = configFolder({ "gateway.yaml": yaml(port), ...files });
  const running = await runtime.start({ config, ...more });
  try {
    await until("/ready answers 200", async () => (await status(port, "/ready")) === 200, START_MS).catch(
      async (late: unknown) => {
        throw new Error(`${String(late)}: ${(await running.output()).slice(-2_000)}`);
      },
    );
    return await scene({ running, port, config });
  } finally {
    running.remove();
    rmSync(config, { recursive: true, force: true });
  }
}

const base = (port: number, more: string) =>
  `listen: 127.0.0.1:${port}\nstore: memory\nauthentication: none\n${more}\n`;
const upstreamLine = (url: string) => `upstreams:\n  check: { url: "${url}", era: "2026-07-28" }`;

async function saysVersion(runtime: Runtime): Promise<Outcome> {
  const config = configFolder({});
  const { code, output } = await runtime.run({ config, args: ["--version"] });
  rmSync(config, { recursive: true });
  return code === 0 && /^\d+\.\d+\.\d+\s*$/.test(output) ? [] : [`exit ${code}: ${output}`];
}

async function runsConfined(runtime: Runtime): Promise<Outcome> {
  const upstream = await startUpstream();
  const yaml = (port: number) => base(port, upstreamLine(upstream.url));
  try {
    return await withGateway(runtime, { yaml }, async ({ running, port }) => {
      const problems: string[] = [];
      for (const path of ["/health", "/ready", "/metrics"]) {
        const is = await status(port, path);
        if (is !== 200) problems.push(`${path} answers ${is}`);
      }
      const process = readFileSync(`/proc/${running.pid}/status`, "utf8");
      const line = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, "m").exec(process)?.[1];
      if (line("Uid") !== "65532\t65532\t65532\t65532") problems.push(`its users are ${line("Uid")}`);
      if (line("NoNewPrivs") !== "1") problems.push("it may gain privileges");
      for (const set of runtime.name === "podman" ? ["CapPrm", "CapEff", "CapBnd"] : ["CapPrm", "CapEff"])
        if (!/^0+$/.test(line(set) ?? "")) problems.push(`${set} is ${line(set)}`);
      const root = readFileSync(`/proc/${running.pid}/mountinfo`, "utf8")
        .split("\n")
        .map((one) => one.split(" "));
      const top = root.find(([, , , , at]) => at === "/");
      if (top?.[5]?.split(",").includes("ro") !== true) problems.push("the root can be written to");
      const { text } = await callTool(port, { name: "check__ok" });
      if (!text.includes("fine")) problems.push(`a call gave ${text}`);
      return problems;
    });
  } finally {
    upstream.close();
  }
}

async function servesCheck(runtime: Runtime): Promise<Outcome> {
  const upstream = await startUpstream();
  const config = configFolder({ "gateway.yaml": base(await freePort(), upstreamLine(upstream.url)) });
  const good = await runtime.run({ config, args: ["serve", "--check", "/etc/recourse/gateway.yaml"] });
  writeFileSync(join(config, "gateway.yaml"), base(1, `${upstreamLine(upstream.url)}\nlimts: {}`));
  const bad = await runtime.run({ config, args: ["serve", "--check", "/etc/recourse/gateway.yaml"] });
  upstream.close();
  rmSync(config, { recursive: true });
  return [
    ...(good.code === 0 ? [] : [`a good file: exit ${good.code}: ${good.output}`]),
    ...(bad.code !== 0 && bad.output.includes("Did you mean limits")
      ? []
      : [`a bad one: exit ${bad.code}: ${bad.output}`]),
  ];
}

async function drains(runtime: Runtime): Promise<Outcome> {
  const upstream = await startUpstream();
  const yaml = (port: number) => base(port, `drain: 20s\n${upstreamLine(upstream.url)}`);
  try {
    return await withGateway(runtime, { yaml }, async ({ running, port }) => {
      const open = new Client(`http://127.0.0.1:${port}`);
      await callTool(port, { name: "check__ok", on: open });
      const underWay = callTool(port, { name: "check__hold" });
      await until("the call is at the upstream", async () => upstream.held() === 1);
      const ended = running.ended(30_000);
      running.signal("SIGTERM");
      await until("no connection is accepted", async () => (await status(port, "/ready")) === REFUSED);
      const late = await callTool(port, { name: "check__ok" });
      const onOpen = await callTool(port, { name: "check__ok", on: open });
      upstream.release();
      const answer = await underWay;
      const { code } = await ended;
      await open.destroy();
      return [
        ...(answer.text.includes("held") ? [] : [`the call under way gave ${answer.text}`]),
        ...(late.text === REFUSED ? [] : [`a call on a new connection gave ${late.text}`]),
        ...(onOpen.text.includes("fine") && onOpen.isLast ? [] : [`a call on an open connection gave ${onOpen.text}`]),
        ...(code === 0 ? [] : [`exit ${code}: ${(await running.output()).slice(-1_000)}`]),
      ];
    });
  } finally {
    upstream.close();
  }
}

async function endsAtOnce(runtime: Runtime): Promise<Outcome> {
  const upstream = await startUpstream();
  const yaml = (port: number) => base(port, `drain: 60s\n${upstreamLine(upstream.url)}`);
  try {
    return await withGateway(runtime, { yaml }, async ({ running, port }) => {
      const underWay = callTool(port, { name: "check__hold" });
      await until("the call is at the upstream", async () => upstream.held() === 1);
      running.signal("SIGTERM");
      await until("no connection is accepted", async () => (await status(port, "/ready")) === REFUSED);
      running.signal("SIGTERM");
      const { ms } = await running.ended(10_000);
      await underWay;
      return ms < 5_000 ? [] : [`it took ${ms.toFixed(0)} ms`];
    });
  } finally {
    upstream.close();
  }
}

async function cutsOff(runtime: Runtime): Promise<Outcome> {
  const upstream = await startUpstream();
  const yaml = (port: number) => base(port, `drain: 2s\n${upstreamLine(upstream.url)}`);
  try {
    return await withGateway(runtime, { yaml }, async ({ running, port }) => {
      const underWay = callTool(port, { name: "check__hold" });
      await until("the call is at the upstream", async () => upstream.held() === 1);
      running.signal("SIGTERM");
      const { code, ms } = await running.ended(20_000);
      const { text: answer } = await underWay;
      return [
        ...(code === 0 ? [] : [`exit ${code}`]),
        ...(ms >= 1_500 && ms < 10_000 ? [] : [`it ended after ${ms.toFixed(0)} ms, and drain is 2 s`]),
        ...(answer.includes("held") ? [`the call was answered: ${answer}`] : []),
      ];
    });
  } finally {
    upstream.close();
  }
}

async function reloads(runtime: Runtime): Promise<Outcome> {
  const upstream = await startUpstream();
  const yaml = (port: number) => base(port, upstreamLine(upstream.url));
  try {
    return await withGateway(runtime, { yaml }, async ({ running, port, config }) => {
      const write = (text: string) => writeFileSync(join(config, "gateway.yaml"), text);
      write(`${yaml(port)}tools:\n  check__ok: { hidden: true }\n`);
      running.signal("SIGHUP");
      await until("the change is taken over", async () => (await running.output()).includes("was taken over"));
      const hidden = await callTool(port, { name: "check__ok" });
      write("listen: [");
      running.signal("SIGHUP");
      await until("the file is refused", async () => (await running.output()).includes("was not taken over"));
      const health = await status(port, "/health");
      return [
        ...(hidden.text.includes("fine") ? ["the hidden tool can be called"] : []),
        ...(health === 200 ? [] : [`after a file that was refused, /health answers ${health}`]),
      ];
    });
  } finally {
    upstream.close();
  }
}

/** A program that names itself in its first answer and ends, so that each call starts another. */
const ENDS_EACH_TIME = `import { createInterface } from "node:readline";
const tool = { name: "find_order", inputSchema: { type: "object" } };
const RESULTS = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "ends", version: "1.0.0" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": () => ({ content: [{ type: "text", text: "program " + process.pid + "." }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = RESULTS[method]?.(params);
  const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
  if (method === "tools/call") setTimeout(() => process.exit(3), 20);
}
`;
const PROGRAMS = 5;

async function reaps(runtime: Runtime): Promise<Outcome> {
  const yaml = (port: number) => base(port, `upstreams:\n  shop: { command: ["${NODE}", /etc/recourse/ends.mjs] }`);
  return withGateway(runtime, { yaml, files: { "ends.mjs": ENDS_EACH_TIME } }, async ({ running, port }) => {
    const seen = new Set<string>();
    // The gateway waits longer before each start of a program that keeps ending.
    await until(`${PROGRAMS} programs have answered`, async () => {
      const { text } = await callTool(port, FIND_ORDER);
      const [program] = /program \d+/.exec(text) ?? [];
      if (program !== undefined) seen.add(program);
      await sleep(100);
      return seen.size >= PROGRAMS;
    });
    await until("no program is a zombie", async () => zombies(running.pid).length === 0, 10_000);
    return [];
  });
}

/** The children of process 1 that have ended and that it has not asked about. */
function zombies(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, state, ppid] = /^.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
        return state === "Z" && Number(ppid) === parent ? [Number(name)] : [];
      } catch {
        return [];
      }
    });
}

async function anyUser(runtime: Runtime): Promise<Outcome> {
  const yaml = (port: number) => base(port, `upstreams:\n  shop: { command: ["${NODE}", /etc/recourse/demo.mjs] }`);
  const files = { "demo.mjs": readFileSync(DEMO_SERVER, "utf8") };
  return withGateway(runtime, { yaml, files, user: ARBITRARY_USER }, async ({ running, port }) => {
    const { text } = await callTool(port, FIND_ORDER);
    running.signal("SIGTERM");
    const { code } = await running.ended(40_000);
    return [...(text.includes("two books") ? [] : [`a call gave ${text}`]), ...(code === 0 ? [] : [`exit ${code}`])];
  });
}

async function saysWhatIsWrong(runtime: Runtime): Promise<Outcome> {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port: takenPort } = taken.address() as AddressInfo;
  const secret = (port: number) =>
    base(
      port,
      `upstreams:\n  shop: { url: "http://127.0.0.1:1/mcp", credential: { bearer: "\${file:/etc/recourse/token}" } }`,
    );
  const port = await freePort();
  const cases: Readonly<Record<string, { readonly files: Record<string, string>; readonly says: RegExp }>> = {
    "no configuration": { files: {}, says: /gateway\.yaml/ },
    "a secret that may not be read": {
      files: { "gateway.yaml": secret(port), token: "secret-of-root" },
      says: /token/,
    },
    "a port in use": {
      files: { "gateway.yaml": base(takenPort, upstreamLine("http://127.0.0.1:1/mcp")) },
      says: /already in use/,
    },
  };
  const problems: string[] = [];
  try {
    for (const [name, { files, says }] of Object.entries(cases)) {
      const config = configFolder(files);
      if ("token" in files) chmodSync(join(config, "token"), 0o600);
      const { code, output } = await runtime.run({ config });
      rmSync(config, { recursive: true });
      if (code <= 0 || !says.test(output)) problems.push(`${name}: exit ${code}: ${output.slice(-500)}`);
      if (/\n {4}at |secret-of-root/.test(output))
        problems.push(`${name}: it shows what it must not: ${output.slice(-500)}`);
    }
    const config = configFolder({ "gateway.yaml": base(port, upstreamLine("http://no-such-host.invalid/mcp")) });
    const { code, output } = await runtime.run({ config, args: ["serve", "--check", "/etc/recourse/gateway.yaml"] });
    rmSync(config, { recursive: true });
    if (code <= 0 || !output.includes("no-such-host.invalid"))
      problems.push(`a host without an address: exit ${code}: ${output.slice(-500)}`);
  } finally {
    taken.close();
  }
  return problems;
}

async function holdsMemory(runtime: Runtime): Promise<Outcome> {
  if (runtime.name !== "podman") return { notRun: "without podman nothing limits the memory" };
  const upstreamPort = await freePort();
  const upstream = await forkUpstream(upstreamPort);
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  const yaml = (port: number) =>
    `listen: 127.0.0.1:${port}\nstore: memory\nkeys:\n  - { id: soak, tenant: acme, sha256: "${sha256}", tools: ["*"] }\nupstreams:\n  soak: { url: "http://127.0.0.1:${upstreamPort}/mcp", era: "2026-07-28", timeout: 1s }\ntelemetry: { log: silent }\n`;
  try {
    return await withGateway(runtime, { yaml }, async ({ running, port }) => {
      const over = AbortSignal.timeout(SOAK_SECONDS * 1_000);
      const counts = await traffic({
        port,
        perSecond: SOAK_PER_SECOND,
        key: () => KEY,
        isPaused: () => false,
        signal: over,
      });
      const sum = (name: string) =>
        [...counts].filter(([one]) => one.startsWith(name)).reduce((total, [, count]) => total + count, 0);
      const [sent, able, good] = [sum(""), sum("ok: "), counts.get("ok: 200") ?? 0];
      if ((await status(port, "/health")) !== 200) return [`it does not answer any more after ${sent} calls`];
      const memory = running.memory();
      if (memory === undefined) return { notRun: "nothing counts the memory of containers" };
      const [peak, limit] = [memory.peakBytes, memory.limitBytes].map((bytes) => Math.round(bytes / 2 ** 20));
      console.log(`${sent} calls, ${good} of ${able} that can succeed did; peak of memory ${peak} of ${limit} MiB`);
      return [
        ...(limit === LIMIT_MIB ? [] : [`the limit of its memory is ${limit} MiB`]),
        ...(good > 0 && good >= able * SOAK_SUCCESS ? [] : [`${good} of ${able}: ${JSON.stringify([...counts])}`]),
      ];
    });
  } finally {
    upstream.kill("SIGKILL");
  }
}

async function forkUpstream(port: number): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "../../bench/gateway-soak/upstream.ts"), [String(port)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}
