// Calls of the older era are remembered by their ids, so that they can be cancelled. Callers choose the ids.
import { expect, it } from "vitest";
import { callOlder } from "../idempotency/support/call.ts";
import { keyed } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { usedBytes } from "../support/used-bytes.ts";

const MIB = 1_024 * 1_024;

it("long ids do not stay in memory after their calls", async () => {
  const upstream = await startStubUpstream();
  const { url } = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)] }));
  const long = "x".repeat(500_000);
  const call = async (n: number) => {
    expect((await callOlder(url, { id: `"${n} ${long}"` })).text).toContain('"ok"');
    // The stub keeps what it has received.
    (upstream.received as unknown[]).length = 0;
  };
  await call(0);
  const before = usedBytes();
  for (let n = 1; n <= 40; n++) await call(n);
  // They were 20 MB. Buffers of connections are freed a little later.
  await expect.poll(() => (usedBytes() - before) / MIB, { interval: 200 }).toBeLessThan(8);
});
