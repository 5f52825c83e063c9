// What is started for each way to call, and how a caller connects.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { observeTransport } from "@recourse/core/client";
import { type Gateway, loadConfig, startGateway } from "@recourse/gateway";
import { type AnyClient, createSdkClient, type SdkVersion } from "@recourse/test-kit/sdk-pairs";
import { type Call, createCall, TIMEOUT_MS } from "./call.ts";
import type { FailureName } from "./failures.ts";
import { loseFirstAnswer, refreshingProvider } from "./network.ts";
import { openShop, type ShopCounts } from "./shop.ts";
import type { Way } from "./way.ts";

/** A connected caller. */
export interface Caller {
  /** What happened at the server until now. */
  count(): ShopCounts;
  readonly call: Call;
  close(): Promise<void>;
}

const CALLER_KEY = "rk_compare_agent_key";
const requestInit = { headers: { authorization: `Bearer ${CALLER_KEY}` } };
const version = (way: Way): SdkVersion => (way === "sdk-v1" ? "v1" : "v2");

/** Starts what a failure needs in one way, and connects a caller. */
export function connect(failure: FailureName, way: Way): Promise<Caller> {
  if (failure !== "process-dies") return connectHttp(failure, way);
  return way === "gateway" ? connectStdioGateway() : connectStdio(way);
}

async function connectHttp(failure: FailureName, way: Way): Promise<Caller> {
  const shop = await openShop({ sdk: version(way), guarded: way === "library", failure });
  const { counts } = shop;
  const sink = () => {
    counts.incidents += 1;
  };
  const upstream = { at: `url: "${shop.url.href}"`, origin: shop.url.origin, failure, sink };
  const gateway = way === "gateway" ? await openGateway(upstream) : undefined;
  const observer = observeTransport({ fetch: failure === "same-payment" ? loseFirstAnswer() : fetch });
  const options = {
    fetch: observer.fetch,
    ...(failure === "expired-token" && way !== "gateway" && { authProvider: refreshingProvider(shop.url.origin) }),
    ...(gateway !== undefined && { requestInit }),
  };
  const client = createSdkClient(way === "sdk-v1" ? "v1" : "v2 modern");
  const Transport = way === "sdk-v1" ? TransportV1 : TransportV2;
  await client.connect(new Transport(gateway?.url ?? shop.url, options as never) as never);
  return {
    count: () => counts,
    call: createCall({ failure, way, client: client as never, observer, sink }),
    async close() {
      await client.close();
      await gateway?.close();
      await shop.close();
    },
  };
}

/** The stdio shop: how it is started, what it did, and how its record is removed. */
function prepareStdio(way: Way) {
  const folder = mkdtempSync(join(tmpdir(), "compare-"));
  const file = join(folder, "runs.txt");
  writeFileSync(file, "");
  const program = fileURLToPath(new URL("stdio-shop.ts", import.meta.url));
  const mode = way === "library" ? "guarded" : "bare";
  let reported = 0;
  return {
    args: ["--conditions=@recourse/source", program, version(way), mode, file],
    sink: () => {
      reported += 1;
    },
    count(): ShopCounts {
      const lines = readFileSync(file, "utf8").split("\n");
      // Its calls have valid arguments, so each one that arrives runs.
      const runs = lines.filter((line) => line === "run").length;
      return { requests: runs, runs, incidents: reported + lines.filter((line) => line === "incident").length };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function connectStdioGateway(): Promise<Caller> {
  const failure = "process-dies";
  const { args, sink, count, remove } = prepareStdio("gateway");
  const gateway = await openGateway({ at: `command: ${JSON.stringify([process.execPath, ...args])}`, failure, sink });
  const client = createSdkClient("v2 modern");
  await client.connect(new TransportV2(gateway.url, { requestInit }) as never);
  const call = createCall({ failure, way: "gateway", client: client as never, observer: observeTransport(), sink });
  return {
    count,
    call,
    async close() {
      await client.close();
      await gateway.close();
      remove();
    },
  };
}

async function connectStdio(way: Way): Promise<Caller> {
  const { args, sink, count, remove } = prepareStdio(way);
  const clients: AnyClient[] = [];
  const observer = observeTransport();
  const reconnect = async (): Promise<AnyClient> => {
    const client = createSdkClient(way === "sdk-v1" ? "v1" : "v2 legacy");
    const parameters = { command: process.execPath, args, stderr: "pipe" as const };
    const transport = way === "sdk-v1" ? new StdioV1(parameters) : new StdioV2(parameters);
    await client.connect((way === "library" ? observer.child(transport) : transport) as never);
    clients.push(client as never);
    return client as never;
  };
  const client = await reconnect();
  return {
    count,
    call: createCall({ failure: "process-dies", way, client, observer, sink, reconnect }),
    async close() {
      await Promise.all(clients.map((one) => one.close()));
      remove();
    },
  };
}

interface UpstreamOptions {
  /** `url` or `command` of the upstream, as the file of a gateway has it. */
  readonly at: string;
  /** Where the token endpoint is. */
  readonly origin?: string;
  readonly failure: FailureName;
  readonly sink: () => void;
}

/** Starts a gateway in front of one upstream. */
async function openGateway({ at, origin, failure, sink }: UpstreamOptions): Promise<Gateway> {
  const client = `tokenUrl: "${origin}/token", clientId: gateway, clientSecret: gateway-secret`;
  const options = {
    "expired-token": `credential: { clientCredentials: { ${client} } }`,
    "no-answer": `timeout: ${TIMEOUT_MS}ms`,
  } as Partial<Record<FailureName, string>>;
  const text = `
listen: 127.0.0.1:0
store: memory
keys: [{ id: agent, tenant: shop, sha256: "${createHash("sha256").update(CALLER_KEY).digest("hex")}" }]
telemetry: { log: silent }
upstreams:
  shop: { ${[at, options[failure]].filter((part) => part !== undefined).join(", ")} }
`;
  const loaded = loadConfig(text, { environment: {} });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  return startGateway(loaded.config, { sink });
}
