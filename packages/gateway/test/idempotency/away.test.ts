// The database of the keys is killed and started again.

import { type Cluster, createCluster } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordingObserver } from "../catalog/support/calls.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";
import { callKeyed, faultIn } from "./support/call.ts";
import { START_MS, startEngines } from "./support/replicas.ts";

let cluster: Cluster;
let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  cluster = await createCluster();
  engines = await startEngines(cluster.url);
}, START_MS);
afterAll(async () => {
  await engines?.close();
  await cluster?.close();
});

it("calls with a key are refused while the database is away, others are served, and no outcome is lost", async () => {
  const gate = Promise.withResolvers<void>();
  const upstream = await startStubUpstream(async (request, response) => {
    if (request.text.includes('"waits":true')) await gate.promise;
    await answerWith(OK)(request, response);
  });
  const { observer, switches } = recordingObserver();
  // Other parts see the same outage.
  const ofKeys = () => switches.flatMap((line) => /^idempotency (away|back)/.exec(line)?.[1] ?? []);
  const options = engines.shared({ upstreams: [httpUpstream(upstream.url)] });
  const { url } = await startTestGateway(options, { observer });
  const waiting = callKeyed(url, { key: '"waiting"', args: '{"waits":true}' });
  await expect.poll(() => upstream.received.length).toBe(1);

  await cluster.kill();
  for (let calls = 0; calls < 3; calls++) {
    const fault = faultIn(await callKeyed(url, { key: '"new"' }));
    expect(fault).toMatchObject({ kind: "unavailable", effect: "none", retry: { allowed: true, afterMs: 1_000 } });
  }
  expect((await callKeyed(url)).json().result).toEqual(JSON.parse(OK));
  expect(ofKeys()).toEqual(["away"]);
  // The outcome is known while it cannot be stored.
  gate.resolve();
  expect((await waiting).json().result).toEqual(JSON.parse(OK));
  expect(upstream.received).toHaveLength(2);

  await cluster.start();
  await expect.poll(ofKeys).toEqual(["away", "back"]);
  await expect
    .poll(async () => (await callKeyed(url, { key: '"waiting"', args: '{"waits":true}' })).json().result)
    .toEqual(JSON.parse(OK));
  expect((await callKeyed(url, { key: '"new"' })).json().result).toEqual(JSON.parse(OK));
  expect(upstream.received).toHaveLength(3);
});
