// A gateway in every state that a metric, an alert or a dashboard shows: real Redis, PostgreSQL and upstreams, all on loopback.
//   node --conditions=@recourse/source deploy/check/driven-gateway.ts    prints its metrics
import { createHash } from "node:crypto";
import { type Gateway, type GatewayConfig, loadConfig, startGateway } from "@recourse/gateway";
import {
  answerJson,
  type Hit,
  type PostedCall,
  startUpstream,
  type TestUpstream,
  toolCallRequest,
  type UpstreamAnswer,
} from "@recourse/test-kit/loopback";
import { freePort } from "@recourse/test-kit/network";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { until } from "./part.ts";

/** The upstreams of the gateway, by what became of them. */
const DRIVEN_UPSTREAMS = {
  /** Works. Its tool `broken` is held back by a breaker of its own. */
  shop: "current",
  /** Was listed, and is down since then: its breaker is open. */
  stock: "kept",
  /** Was never there. */
  ghost: "never",
} as const;

/** A gateway that went through every state. */
export interface DrivenGateway {
  /** Where Prometheus finds the metrics. */
  readonly metricsUrl: URL;
  /** The metrics at this moment. */
  metrics(): Promise<string>;
  /** Calls tools that work and tools that fail, so that rates are not 0. */
  call(): Promise<void>;
  close(): Promise<void>;
}

const CALLER_KEY = "rk_driven_0123456789abcdef0123456789abcdef";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
/** The idempotency keys of the caller. No metric may show them. */
const KEYS = { stored: "driven-key-stored", late: "driven-key-late", damaged: "driven-key-damaged" } as const;
/** How long a state may take to be reached on a busy machine. */
const PATIENCE_MS = 60_000;

const TOOLS = ["ok", "broken", "limited", "refund", "slow"];
const PREPARED: Readonly<Record<string, object>> = {
  "server/discover": {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    serverInfo: { name: "driven", version: "1.0.0" },
    ttlMs: 600_000,
    cacheScope: "private",
  },
  "tools/list": {
    resultType: "complete",
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: "object" } })),
    ttlMs: 600_000,
    cacheScope: "private",
  },
};

interface SentMessage {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

/** An MCP server of 2026-07-28, and the token service for it. */
function answerAsServer(slow: Promise<unknown>): UpstreamAnswer {
  return async ({ target, body }: Hit, response) => {
    if (target === "/token") {
      answerJson(response, 200, { access_token: "driven-token", token_type: "Bearer", expires_in: 3_600 });
      return;
    }
    const { id, method, params } = JSON.parse(body.toString()) as SentMessage;
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    if (params?.name === "slow") await slow;
    if (params?.name === "broken") {
      answerJson(response, 503, {});
      return;
    }
    const result = PREPARED[method] ?? { resultType: "complete", content: [{ type: "text", text: "ok" }] };
    answerJson(response, 200, { jsonrpc: "2.0", id, result });
  };
}

interface Addresses {
  readonly shop: string;
  readonly stock: string;
  readonly ghostPort: number;
  readonly redis: string;
  readonly postgres: string;
}

/** The file. Breakers stay open, so that their states can be looked at. */
function fileFor({ shop, stock, ghostPort, redis, postgres }: Addresses): string {
  return `
listen: 127.0.0.1:0
store: { redis: "${redis}", postgres: "${postgres}" }
keys: [{ id: driven, sha256: "${sha256(CALLER_KEY)}" }]
upstreams:
  shop:
    url: ${shop}/mcp
    era: "2026-07-28"
    idempotency: honoured
    credential: { clientCredentials: { tokenUrl: "${shop}/token", clientId: driven, clientSecret: driven-secret } }
  stock: { url: "${stock}/mcp", era: "2026-07-28" }
  ghost: { url: "http://127.0.0.1:${ghostPort}/mcp", era: "2026-07-28" }
limits: { key: { rate: 1000/s, burst: 1000 }, tools: { shop__limited: { rate: 1/m, burst: 1 } }, mode: exact }
approvals: { tools: [shop__refund] }
breaker: { failures: 3, pause: 10m, maxPause: 10m }
admin: { listen: "127.0.0.1:0", keys: [{ id: operator, sha256: "${sha256("driven-operator")}" }] }
telemetry: { log: silent }
`;
}

function configFrom(text: string): GatewayConfig {
  const loaded = loadConfig(text, { environment: {} });
  if (!loaded.ok) throw new Error(`the file of the driven gateway is wrong: ${JSON.stringify(loaded.problems)}`);
  return loaded.config;
}

/** Calls a tool. Gives the text of the answer, whatever it is. */
async function callTool(url: URL, call: PostedCall): Promise<string> {
  const answer = await fetch(url, toolCallRequest({ ...call, apiKey: CALLER_KEY }));
  return answer.text();
}

/** Waits until the gateway has reached a state, with patience for a busy machine. */
const reached = (state: string, isTrue: () => Promise<boolean>) => until(state, isTrue, PATIENCE_MS);

/** What the states are made with. */
interface World {
  readonly gateway: Gateway;
  readonly config: GatewayConfig;
  readonly redis: RedisServer;
  readonly database: TestDatabase;
  readonly stock: TestUpstream;
  readonly endSlow: () => void;
  readonly metrics: () => Promise<string>;
}

/** Starts a gateway and takes it through every state. Close it: it holds a Redis server and a database. */
export async function startDrivenGateway(): Promise<DrivenGateway> {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  try {
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const redis = await createRedisServer({ durable: false });
    closing.push(() => redis.close());
    const slow = Promise.withResolvers<void>();
    const shop = await startUpstream(answerAsServer(slow.promise));
    closing.push(() => shop.close());
    const stock = await startUpstream(answerAsServer(slow.promise));
    closing.push(() => stock.close());
    const config = configFrom(
      fileFor({
        shop: shop.url,
        stock: stock.url,
        ghostPort: await freePort(),
        redis: redis.url,
        postgres: database.url,
      }),
    );
    let isFirst = true;
    const gateway = await startGateway(config, {
      // Logging the first incident throws, which the gateway counts as an unexpected exception.
      sink() {
        if (!isFirst) return;
        isFirst = false;
        throw new Error("the log of the driven gateway is broken");
      },
      // A claim is late as soon as its call is.
      claimGraceMs: 0,
    });
    closing.push(async () => {
      slow.resolve();
      await gateway.close();
    });
    const metricsUrl = new URL("/metrics", gateway.url);
    const metrics = async () => (await fetch(metricsUrl)).text();
    await drive({ gateway, config, redis, database, stock, endSlow: slow.resolve, metrics });
    return {
      metricsUrl,
      metrics,
      async call() {
        for (const tool of ["shop__ok", "shop__ok", "shop__broken", "stock__ok"]) await callTool(gateway.url, { tool });
        await callTool(gateway.url, { tool: "shop__ok", key: KEYS.stored });
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Takes a gateway from state to state, in an order in which none hides another. */
async function drive(world: World): Promise<void> {
  const { gateway, config, metrics } = world;
  const shows = (line: string) => reached(line, async () => (await metrics()).split("\n").includes(line));
  const call = (tool: string, options: Omit<PostedCall, "tool"> = {}) => callTool(gateway.url, { tool, ...options });
  await shows('recourse_upstream_listed{recourse_upstream="stock",state="current"} 1');
  // Limits begin empty in a Redis that is new.
  await reached("a call passes", async () => (await call("shop__ok")).includes('"text":"ok"'));
  await useKeys(world, call);
  await call("shop__limited");
  await call("shop__limited");
  await call("shop__refund");
  await shows("recourse_approvals_pending 1");
  await loseRedis(world, call);
  await refuseIncidents(world, call);
  const held = 'recourse_tool_breakers_open{recourse_upstream="shop"} 1';
  // As often as it takes: a call that Redis holds back after its restart is no failure of the tool.
  await reached(held, async () => {
    await call("shop__broken");
    return (await metrics()).split("\n").includes(held);
  });
  await world.stock.close();
  const open = 'recourse_breaker_state{recourse_upstream="stock"} 2';
  await reached(open, async () => {
    await call("stock__ok");
    return (await metrics()).split("\n").includes(open);
  });
  // A reload reads the lists again.
  await gateway.reload({ ...config, deadlineMs: config.deadlineMs - 1_000 });
  gateway.reloadRefused(["upstreams.shop.url"]);
  for (const [upstream, state] of Object.entries(DRIVEN_UPSTREAMS)) {
    await shows(`recourse_upstream_listed{recourse_upstream="${upstream}",state="${state}"} 1`);
  }
}

type CallShorthand = (tool: string, options?: Omit<PostedCall, "tool">) => Promise<string>;

/** Every outcome of a key, except those of a database that is down or on hold. */
async function useKeys({ database, endSlow, metrics }: World, call: CallShorthand): Promise<void> {
  await call("shop__ok", { key: KEYS.damaged });
  // A fault of the gateway's own making: what it stored cannot be read any more. It is stored after the answer.
  await reached("a stored outcome cannot be read", async () => {
    await database.query("update gateway_idempotency set outcome = 'damaged' where settled");
    return (await call("shop__ok", { key: KEYS.damaged })).includes("core/internal");
  });
  await call("shop__ok", { key: KEYS.stored });
  await call("shop__ok", { key: KEYS.stored });
  await call("shop__ok", { key: KEYS.stored, args: { other: true } });
  const underWay = [call("shop__slow", { key: KEYS.late }), call("stock__slow", { key: KEYS.late })];
  const claims = "select 1 from gateway_idempotency where not settled";
  await reached("two keys are claimed", async () => (await database.query(claims)).length === 2);
  await call("shop__slow", { key: KEYS.late });
  // As if the process of these calls had died: their deadline is over, and nothing is known about them.
  await database.query("update gateway_idempotency set deadline = now() - interval '1 minute' where not settled");
  // The one upstream does not honour keys, so the outcome is unknown; the other does, so the call runs again.
  await call("stock__slow", { key: KEYS.late });
  const again = call("shop__slow", { key: KEYS.late });
  const takenOver = 'recourse_idempotency_total{outcome="taken_over"} 1';
  await reached(takenOver, async () => (await metrics()).includes(takenOver));
  endSlow();
  await Promise.all([...underWay, again]);
}

/** Redis is killed, noticed, started and found again. */
async function loseRedis({ redis, metrics }: World, call: CallShorthand): Promise<void> {
  const shows = (line: string) =>
    reached(line, async () => {
      await call("shop__ok");
      return (await metrics()).split("\n").includes(line);
    });
  await redis.kill();
  await shows('recourse_control_away{control="limits"} 1');
  await redis.start();
  await shows('recourse_control_away{control="limits"} 0');
}

/** PostgreSQL refuses incidents: first their samples are given up, then the rows. */
async function refuseIncidents({ database, metrics }: World, call: CallShorthand): Promise<void> {
  await database.query(`create function refuse_incident() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = '22021'; end $$`);
  await database.query(
    "create trigger refuse_incident before insert on incident for each row execute function refuse_incident()",
  );
  const dropped = /^recourse_incidents_dropped_total\{what="incident"\} [1-9]/m;
  await reached("an incident is dropped", async () => {
    for (const tool of ["shop__broken", "ghost__ok"]) await call(tool);
    return dropped.test(await metrics());
  });
  await database.query("drop trigger refuse_incident on incident");
}

if (import.meta.main) {
  const driven = await startDrivenGateway();
  await driven.call();
  console.log(await driven.metrics());
  await driven.close();
}
