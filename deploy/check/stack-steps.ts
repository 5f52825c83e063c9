// What is done with the stack, in this order. A step throws if the stack does not do what the docs say.
import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ended } from "./image-run.ts";
import { until } from "./part.ts";

/** The stack while it is up. */
export interface Stack {
  readonly folder: string;
  /** The name that compose gives to all that belongs together. */
  readonly project: string;
  readonly url: string;
  readonly adminUrl: string;
  readonly key: string;
  readonly adminKey: string;
  /** Runs docker-compose in the folder, and returns what it wrote. It rejects if it fails. */
  compose(...args: readonly string[]): Promise<string>;
  /** Runs podman with the same settings. */
  podman(...args: readonly string[]): Ended;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** What was answered, as text and, if it is JSON, as data. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the steps look into it
  readonly body: any;
}

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000), ...init });
  const text = await response.text();
  const data = text.startsWith("event:") || text.startsWith("data:") ? (/^data: (.+)$/m.exec(text)?.[1] ?? "") : text;
  let body: unknown;
  try {
    body = JSON.parse(data);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

interface CallOptions {
  readonly key?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Calls the tool of the demo server. */
function findOrder(
  { url, key: ownKey }: Stack,
  order: number,
  { key = ownKey, meta }: CallOptions = {},
): Promise<Answer> {
  const params = { name: "demo__find_order", arguments: { order }, ...(meta && { _meta: meta }) };
  return ask(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
}

function askAdmin({ adminUrl, adminKey }: Stack, path: string): Promise<Answer> {
  return ask(`${adminUrl}/admin/v1${path}`, { headers: { authorization: `Bearer ${adminKey}` } });
}

const FOUND = "Order 7: two books, shipped.";
const isFound = ({ body }: Answer) => body?.result?.content?.[0]?.text === FOUND;

/** The fault in an answer: of the tool, or of the edge. */
function faultIn({ body }: Answer): { readonly effect?: string; readonly retry?: { readonly allowed?: boolean } } {
  return body?.result?._meta?.["recourse/fault"] ?? body?.error?.data?.["recourse/fault"] ?? body?.error?.data ?? {};
}

/** The names of the containers of a service. */
function containersOf({ podman, project }: Stack, service: string): readonly string[] {
  // Other projects on the machine may have services of the same names.
  const labels = [`com.docker.compose.project=${project}`, `com.docker.compose.service=${service}`];
  const { stdout } = podman(
    "ps",
    ...labels.flatMap((label) => ["--filter", `label=${label}`]),
    "--format",
    "{{.Names}}",
  );
  return stdout.split("\n").filter(Boolean).toSorted();
}

/** Each step by its name. */
export const STACK_STEPS: Readonly<Record<string, (stack: Stack) => Promise<void>>> = {
  "docker-compose accepts the file": async ({ compose }) => {
    await compose("config", "--quiet");
  },
  "it comes up, each service after those that it needs": async ({ compose }) => {
    await compose("up", "-d");
  },
  "a first call": async (stack) => {
    const answer = await findOrder(stack, 7);
    assert.ok(isFound(answer), answer.text);
  },
  "a failing call is an incident that operators find, and its secrets stay inside": async (stack) => {
    const answer = await findOrder(stack, 8);
    assert.equal(answer.body?.result?.isError, true, answer.text);
    assert.doesNotMatch(answer.text, /hunter2/);
    const id = /\b01[0-9A-HJKMNP-TV-Z]{24}\b/.exec(answer.text)?.[0];
    assert.ok(id, `no id of an incident: ${answer.text}`);
    await until("the incident is stored", async () => (await askAdmin(stack, `/incidents/${id}`)).status === 200);
    const found = await askAdmin(stack, `/incidents/${id}`);
    assert.match(found.text, /find_order/);
    assert.doesNotMatch(found.text, /hunter2/);
  },
  "the console opens, and other names are refused": async (stack) => {
    const page = await ask(`${stack.adminUrl}/console/`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-type") ?? "", /text\/html/);
    // fetch sets the header Host itself, so curl of the container asks.
    const { port } = new URL(stack.url);
    const name = containersOf(stack, "nginx")[0] ?? "";
    const foreign = stack.podman(
      ...["exec", name, "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", `Host: evil.example:${port}`],
      ...["-X", "POST", "http://127.0.0.1:8080/mcp"],
    );
    assert.equal(foreign.stdout, "403");
  },
  "pages for probes and metrics are not published": async ({ url }) => {
    for (const page of ["/health", "/ready", "/metrics"])
      assert.equal((await ask(new URL(page, url).href)).status, 404, page);
  },
  "containers are confined": async (stack) => {
    for (const service of ["gateway", "nginx", "postgres", "valkey"]) {
      const [name = ""] = containersOf(stack, service);
      const [inspected] = JSON.parse(stack.podman("inspect", name).stdout);
      assert.equal(inspected.HostConfig.ReadonlyRootfs, true, service);
      assert.deepEqual(inspected.EffectiveCaps ?? [], [], service);
      assert.ok(inspected.HostConfig.Memory > 0, service);
      const { stdout } = stack.podman("top", name, "huser");
      assert.doesNotMatch(stdout, /^(?:root|0)$/m, service);
      const published = Object.keys(inspected.NetworkSettings.Ports ?? {}).filter(
        (port) => inspected.NetworkSettings.Ports[port] !== null,
      );
      assert.equal(published.length, service === "nginx" ? 2 : 0, service);
    }
  },
  "the role of the gateway owns its schema and nothing else": async (stack) => {
    const [name = ""] = containersOf(stack, "postgres");
    const sql = (text: string) =>
      stack.podman("exec", name, "psql", "-U", "postgres", "-d", "recourse", "-Atc", text).stdout.trim();
    assert.equal(sql("select nspname from pg_namespace where nspowner = 'recourse'::regrole"), "recourse");
    assert.equal(sql("select rolsuper or rolcreatedb or rolcreaterole from pg_roles where rolname = 'recourse'"), "f");
    assert.equal(sql("select datname from pg_database where datdba = 'recourse'::regrole"), "");
    assert.equal(
      sql(
        "select distinct relnamespace::regnamespace from pg_class where relowner = 'recourse'::regrole and relkind in ('r', 'p')",
      ),
      "recourse",
    );
  },
  "a key that is added works": async (stack) => {
    // Not by `docker-compose run`: it links containers, which podman does not.
    const [name = ""] = containersOf(stack, "gateway");
    const cli = ["/nodejs/bin/node", "/app/node_modules/@recourse/cli/dist/main.js"];
    const { stdout: printed, stderr } = stack.podman("exec", name, ...cli, "keys", "add", "ci", "--json");
    const key = /rk_[0-9a-f]{8}_[\w-]{43}/.exec(printed)?.[0];
    assert.ok(key, printed + stderr);
    const answer = await findOrder(stack, 7, { key });
    assert.ok(isFound(answer), answer.text);
  },
  "a changed configuration is taken over, though the file is a new one": async (stack) => {
    const path = join(stack.folder, "config/gateway.yaml");
    const changed = readFileSync(path, "utf8").replace(
      "  demo: {",
      "  again: { prefix: again__, command: [/nodejs/bin/node, demo-server.mjs] }\n  demo: {",
    );
    writeFileSync(`${path}.new`, changed, { mode: 0o644 });
    renameSync(`${path}.new`, path);
    await stack.compose("kill", "-s", "HUP", "gateway");
    const list = () =>
      ask(stack.url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${stack.key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    await until("the new upstream is listed", async () => (await list()).text.includes("again__find_order"));
  },
  "without Redis, calls are refused with a wait; then they pass again": async (stack) => {
    await stack.compose("stop", "-t", "1", "valkey");
    await until("calls are refused", async () => !isFound(await findOrder(stack, 7)));
    const refused = await findOrder(stack, 7);
    const { effect, retry } = faultIn(refused);
    assert.deepEqual([effect, retry?.allowed], ["none", true], refused.text);
    await stack.compose("start", "valkey");
    await until("calls pass", async () => isFound(await findOrder(stack, 7)));
  },
  "without PostgreSQL, calls pass, but none with an idempotency key; then those pass again": async (stack) => {
    const keyed = () => findOrder(stack, 7, { meta: { "recourse/call": { key: `stack-${Math.random()}` } } });
    const first = await keyed();
    assert.ok(isFound(first), first.text);
    await stack.compose("stop", "-t", "5", "postgres");
    await until("a keyed call is refused", async () => !isFound(await keyed()));
    assert.ok(isFound(await findOrder(stack, 7)), "a call without a key");
    assert.equal((await askAdmin(stack, "/incidents?limit=1")).status, 503);
    await stack.compose("start", "postgres");
    await until("keyed calls pass", async () => isFound(await keyed()));
  },
  "two replicas share their limits": async (stack) => {
    await stack.compose("up", "-d", "--scale", "gateway=2", "--no-recreate");
    await until("two replicas", () => containersOf(stack, "gateway").length === 2);
    const counts = () =>
      containersOf(stack, "gateway").map((name) => {
        const script = "fetch('http://127.0.0.1:8082/metrics').then((r) => r.text()).then((t) => console.log(t))";
        const { stdout } = stack.podman("exec", name, "/nodejs/bin/node", "-e", script);
        const lines = stdout.matchAll(/^mcp_server_operation_duration_count\{[^}]*tools\/call[^}]*\} (\d+)/gm);
        return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
      });
    await until("both replicas get calls", async () => {
      await findOrder(stack, 7);
      return counts().every((count) => count > 0);
    });
    // The bucket fills up again: 40 calls at 20 a second.
    await sleep(2_500);
    const before = counts();
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 200 }, () => findOrder(stack, 7)));
    const seconds = (performance.now() - started) / 1_000;
    const passed = answers.filter(isFound).length;
    const shares = counts().map((count, at) => count - (before[at] ?? 0));
    const most = 40 + Math.ceil(20 * seconds);
    assert.ok(
      shares.every((share) => share > 20),
      `calls at each replica: ${shares.join(", ")}`,
    );
    assert.ok(passed <= most, `${passed} of 200 calls passed in ${seconds.toFixed(1)} s; the limit is ${most}`);
    assert.ok(passed >= 20, `${passed} of 200 calls passed`);
  },
  "a replica that is killed costs no call that comes after it": async (stack) => {
    const [name = ""] = containersOf(stack, "gateway");
    stack.podman("kill", "--signal=KILL", name);
    await sleep(2_500);
    for (let at = 0; at < 10; at += 1) {
      const answer = await findOrder(stack, 7);
      assert.ok(isFound(answer), answer.text);
    }
  },
  "it goes down, and nothing is left": async (stack) => {
    await stack.compose("down", "--volumes", "--timeout", "20");
    for (const service of ["gateway", "nginx", "postgres", "valkey"])
      assert.deepEqual(containersOf(stack, service), [], service);
    const filter = ["--filter", `label=com.docker.compose.project=${stack.project}`];
    for (const kind of ["volume", "network"])
      assert.equal(stack.podman(kind, "ls", "--quiet", ...filter).stdout, "", kind);
  },
};
