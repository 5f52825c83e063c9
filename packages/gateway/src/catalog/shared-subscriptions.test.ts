import { transport } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import type { Upstream, UpstreamReply } from "../call/upstream.ts";
import { renewAt, type SubscriptionPlace, subscribeAt, unsubscribeAt } from "./shared-subscriptions.ts";

/** An upstream that answers on command, and keeps what it was sent. */
function upstreamWith(options: object, answer: () => string | "lost" = () => '{"result":{}}') {
  const sent: string[] = [];
  const upstream = {
    options: { name: "docs", timeoutMs: 1_000, ...options },
    async send({ method, parsed }: { method: string; parsed: { uri: string } }): Promise<UpstreamReply> {
      sent.push(`${method.slice("resources/".length)} ${parsed.uri}`);
      await new Promise((resolve) => setImmediate(resolve));
      const body = answer();
      if (body === "lost") return { kind: "failed", fault: transport.unreachable.fault() };
      return { kind: "answer", status: 200, header: () => undefined, body: Buffer.from(body) };
    },
  } as unknown as Upstream;
  return { upstream, sent };
}

const addressOf = (session: string) => ({
  address: { session, caller: { id: session, tenant: "acme" } },
  holder: {},
});
const [ADA, BOB] = [addressOf("ada"), addressOf("bob")];
const at = (upstream: Upstream, who: typeof ADA): SubscriptionPlace => ({ upstream, ...who });

describe("a process that callers share", () => {
  it("is asked once, and told when the last session leaves", async () => {
    const { upstream, sent } = upstreamWith({ per: "replica" });
    expect(await Promise.all([subscribeAt(at(upstream, ADA), "a"), subscribeAt(at(upstream, BOB), "a")])).toEqual([
      "subscribed",
      "subscribed",
    ]);
    await unsubscribeAt(at(upstream, ADA), "a");
    expect(sent).toEqual(["subscribe a"]);
    await unsubscribeAt(at(upstream, BOB), "a");
    await unsubscribeAt(at(upstream, BOB), "a");
    expect(sent).toEqual(["subscribe a", "unsubscribe a"]);
  });

  it("is asked again where somebody comes while the last one leaves", async () => {
    const { upstream, sent } = upstreamWith({ per: "replica" });
    await subscribeAt(at(upstream, ADA), "a");
    await Promise.all([unsubscribeAt(at(upstream, ADA), "a"), subscribeAt(at(upstream, BOB), "a")]);
    // Either nothing had to be said, or it was said in this order.
    expect(["subscribe a", "subscribe a,unsubscribe a,subscribe a"]).toContain(sent.join());
    await unsubscribeAt(at(upstream, BOB), "a");
    expect(sent.at(-1)).toBe("unsubscribe a");
  });

  it("is not told what it never agreed to, whoever leaves while it is asked", async () => {
    const { upstream, sent } = upstreamWith({ per: "replica" }, () => '{"error":{"code":-32602,"message":"no"}}');
    const asked = subscribeAt(at(upstream, ADA), "a");
    await Promise.all([unsubscribeAt(at(upstream, ADA), "a"), asked]);
    expect(await subscribeAt(at(upstream, ADA), "a")).toBe("refused");
    expect(sent).toEqual(["subscribe a", "subscribe a"]);
  });

  it("that refuses one session is asked again for the next", async () => {
    const answers = ['{"error":{"code":-32602,"message":"no"}}', '{"result":{}}'];
    const { upstream, sent } = upstreamWith({ per: "replica" }, () => answers.shift() ?? "lost");
    const outcomes = await Promise.all([subscribeAt(at(upstream, ADA), "a"), subscribeAt(at(upstream, BOB), "a")]);
    expect(outcomes).toEqual(["refused", "subscribed"]);
    expect(sent).toEqual(["subscribe a", "subscribe a"]);
  });
});

describe("a session of a caller's own", () => {
  it("is asked for each caller", async () => {
    const { upstream, sent } = upstreamWith({});
    await subscribeAt(at(upstream, ADA), "a");
    await subscribeAt(at(upstream, BOB), "a");
    await unsubscribeAt(at(upstream, ADA), "a");
    expect(sent).toEqual(["subscribe a", "subscribe a", "unsubscribe a"]);
  });

  it("gives the fault of an upstream that cannot be asked, and remembers nothing", async () => {
    const { upstream } = upstreamWith({}, () => "lost");
    expect(await subscribeAt(at(upstream, ADA), "a")).toMatchObject({ reason: "transport/unreachable" });
    const { upstream: well, sent } = upstreamWith({});
    await renewAt(at(well, ADA), "a");
    expect(sent).toEqual([]);
    await subscribeAt(at(well, ADA), "a");
    await renewAt(at(well, ADA), "a");
    expect(sent).toEqual(["subscribe a", "subscribe a"]);
  });
});
