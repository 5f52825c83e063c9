// A flood on the pages of operators.
import { expect, it } from "vitest";
import { ADMIN } from "../admin/support.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho } from "../support/post.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";
import { usedBytes } from "../support/used-bytes.ts";
import { browse, builtConsole, CONSOLE, signInAs } from "./support.ts";

it("a flood of failures and questions of operators leaves room for calls", async () => {
  const stub = await startStubUpstream((received, response) =>
    received.text.includes("fail") ? void response.writeHead(500).end() : answerWith(OK)(received, response),
  );
  const gateway = await startTestGateway(
    { admin: { ...ADMIN, console: CONSOLE }, upstreams: [httpUpstream(stub.url)] },
    { consoleFolder: builtConsole() },
  );
  const url = gateway.adminUrl as URL;
  const { cookie } = await signInAs(url, "viewer");
  const before = usedBytes();
  const paths = ["find?q=echo", "overview?range=30d", "find?q=01M7HXRMR83H8Q9JKGBAVMDXX4", "incidents"];
  const statuses = new Map<number, number>();
  const hammering = Array.from({ length: 100 }, async (_, at) => {
    for (let turn = 0; turn < 10; turn += 1) {
      const path = `/admin/v1/${paths[(at + turn) % paths.length]}`;
      const { status } = await browse(url, path, { headers: { cookie } });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  const failing = Array.from({ length: 20 }, async () => {
    for (let turn = 0; turn < 50; turn += 1) await callEcho(gateway.url, '{"text":"fail"}');
  });
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await callEcho(gateway.url, '{"text":"fine"}')).text).toContain('"ok"');
  }
  await Promise.all([...hammering, ...failing]);
  // What a busy process cannot answer in time is refused, not kept waiting.
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(0);
  expect(usedBytes() - before).toBeLessThan(150 * 2 ** 20);
}, 600_000);
