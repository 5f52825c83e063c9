// A client, a gateway, a second gateway, and an upstream that lies: each with a credential of its own.
import { createServer, type ServerResponse } from "node:http";
import { type Fault, readFault } from "@recourse/core";
import type { Incident } from "@recourse/core/server";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { sha256Hex } from "../../src/call/binding.ts";
import type { GatewayConfig, KeyConfig, UpstreamConfig } from "../../src/config/types.ts";
import { startGateway } from "../../src/gateway.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { MODERN_META, modernHeaders, post, type RawAnswer } from "../support/post.ts";

/** What the upstream answers to a call. */
export interface Lie {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, `$ID` in it stands for the id of the message. */
  readonly body: string | Buffer;
}

/** The credentials of the three hops. None of them may appear in what the client reads. */
export interface Credentials {
  readonly client: string;
  readonly gateway: string;
  readonly upstream: string;
}

/** What the client reads of a call. */
export interface Read {
  readonly answer: RawAnswer;
  readonly fault: Fault;
  /** What a model reads. */
  readonly shown: string;
}

/** The chain of programs. */
export interface TwoGateways {
  readonly credentials: Credentials;
  /** Incidents of both gateways. */
  readonly incidents: Incident[];
  /** Calls the tool `buy` of the upstream, which answers as given. */
  call(lie: Lie, args?: string): Promise<Read>;
  close(): Promise<void>;
}

const TOOLS = ["buy", "login", "refund"].map((name) => ({ name, inputSchema: { type: "object" } }));
const PREPARED: Readonly<Record<string, object>> = {
  "server/discover": {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    serverInfo: { name: "evil", version: "1.0.0" },
    ttlMs: 3_600_000,
    cacheScope: "private",
  },
  "tools/list": { resultType: "complete", tools: TOOLS, ttlMs: 3_600_000, cacheScope: "private" },
};

/** Starts the chain. Both gateways treat text of their upstream as given; the first may believe the second as a whole. */
export async function startTwoGateways(
  options: Pick<UpstreamConfig, "foreignText"> & { readonly speaksFaults?: boolean },
): Promise<TwoGateways> {
  const { foreignText, speaksFaults = false } = options;
  const credentials = { client: createApiKey().key, gateway: createApiKey().key, upstream: "sk-upstream-0a1b2c3d4e5f" };
  const incidents: Incident[] = [];
  const sink = (incident: Incident) => void incidents.push(incident);
  let lie: Lie = { body: "" };
  const server = createServer((incoming, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      answerAs(lie, Buffer.concat(chunks).toString(), response);
    })().catch(() => response.destroy());
  });
  const evil = await listenOnLoopback(server);
  const inner = await startGateway(
    guarded("inner", credentials.gateway, {
      upstreams: [
        httpUpstream(evil.url, {
          name: "evil",
          prefix: "evil__",
          foreignText,
          credential: { kind: "bearer", token: credentials.upstream },
        }),
      ],
      tools: [{ pattern: "evil__refund", hidden: true, scopes: [], entitlement: undefined, cost: 1 }],
    }),
    { sink },
  );
  const outer = await startGateway(
    guarded("outer", credentials.client, {
      upstreams: [
        httpUpstream(inner.url, {
          name: "inner",
          prefix: "in__",
          foreignText,
          speaksFaults,
          credential: { kind: "bearer", token: credentials.gateway },
        }),
      ],
    }),
    { sink },
  );
  return {
    credentials,
    incidents,
    async call(told, args = "{}") {
      lie = told;
      const name = "in__evil__buy";
      const params = `{"name":"${name}","arguments":${args},"_meta":{${MODERN_META}}}`;
      const answer = await post(outer.url, `{"jsonrpc":"2.0","id":41,"method":"tools/call","params":${params}}`, {
        ...modernHeaders("tools/call", name),
        authorization: `Bearer ${credentials.client}`,
      });
      return read(answer);
    },
    async close() {
      await outer.close();
      await inner.close();
      await evil.close();
    },
  };
}

function guarded(name: string, key: string, changes: Partial<GatewayConfig>): GatewayConfig {
  const known: KeyConfig = {
    id: name,
    tenant: "acme",
    sha256: sha256Hex(key),
    tools: ["*"],
    scopes: [],
    entitlements: [],
    dialect: undefined,
  };
  return testConfig({ name, authentication: "required", keys: [known], drainMs: 0, ...changes });
}

function answerAs(lie: Lie, request: string, response: ServerResponse): void {
  const { id, method } = JSON.parse(request) as { readonly id?: unknown; readonly method: string };
  const prepared = PREPARED[method];
  const {
    status = 200,
    headers = {},
    body,
  } = prepared === undefined ? lie : { body: JSON.stringify({ jsonrpc: "2.0", id: "$ID", result: prepared }) };
  const sent = Buffer.isBuffer(body) ? body : Buffer.from(body.replaceAll('"$ID"', JSON.stringify(id ?? null)));
  response.writeHead(status, { "content-type": "application/json", "content-length": sent.length, ...headers });
  response.end(sent);
}

function read(answer: RawAnswer): Read {
  const { result, error } = JSON.parse(answer.text) as {
    readonly result?: { readonly content: { readonly text: string }[]; readonly _meta: Record<string, unknown> };
    readonly error?: { readonly message: string; readonly data: Record<string, unknown> };
  };
  const fault = readFault(result?._meta["recourse/fault"] ?? error?.data["recourse/fault"]);
  if (fault === undefined) throw new Error(`not a failure: ${answer.text.slice(0, 500)}`);
  return { answer, fault, shown: result?.content.map(({ text }) => text).join("\n") ?? error?.message ?? "" };
}
