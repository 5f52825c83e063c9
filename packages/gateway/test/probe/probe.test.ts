// `recourse probe` on a gateway, in both eras of the protocol: in front of a server of the official SDK that is not guarded, and
// in front of a reference server; and on the gateway that `recourse init` writes.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { createTestEnvironment } from "@recourse/reference-orders/test-environment";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { probe } from "@recourse/test-kit/probe";
import { expect, onTestFinished, test } from "vitest";
import { addShop, type Registrar } from "../../../../research/survey/project/shop/shop.ts";
import { init } from "../../src/commands/init.ts";
import { loadConfig } from "../../src/config/load.ts";
import { testIo } from "../commands/run.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";

const FULL_MARKS = { score: 100, findings: [], forced: [], stale: [], revisions: ["2025-11-25", "2026-07-28"] };

test("behind the gateway, all that is left of an unguarded server is what its tool wrote itself", {
  timeout: 300_000,
}, async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    addShop(server as unknown as Registrar);
    return server;
  });
  const answer = toNodeHandler(handler) as (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  const upstream = await listenOnLoopback(createServer((request, response) => void answer(request, response)));
  onTestFinished(() => upstream.close());
  const gateway = await startTestGateway({ upstreams: [httpUpstream(upstream.url)] });
  // The tool reports a failure of its runtime as its own words, and those of tools are quoted by default.
  expect(await probe(gateway.url.href)).toEqual({ ...FULL_MARKS, score: 96, findings: ["leak-runtime-text"] });
});

test("a reference server gets full marks behind the gateway", { timeout: 300_000 }, async () => {
  const environment = await createTestEnvironment();
  onTestFinished(() => environment.close());
  const gateway = await startTestGateway({ upstreams: [httpUpstream(`${environment.server.url}/postgres`)] });
  expect(await probe(gateway.url.href)).toEqual(FULL_MARKS);
});

test("the demo of `recourse init` gets full marks", { timeout: 300_000 }, async () => {
  const io = testIo();
  await init({}, io);
  const file = join(io.cwd, "gateway.yaml");
  const loaded = loadConfig(readFileSync(file, "utf8"), { environment: {}, file });
  if (!loaded.ok) return expect.unreachable();
  const { telemetry } = testConfig();
  const gateway = await startTestGateway({ ...loaded.config, listen: { host: "127.0.0.1", port: 0 }, telemetry });
  const [, key = ""] = /export GATEWAY_KEY=(\S+)/.exec(io.out()) ?? [];
  expect(await probe(gateway.url.href, { headers: [`authorization: Bearer ${key}`] })).toEqual(FULL_MARKS);
});
