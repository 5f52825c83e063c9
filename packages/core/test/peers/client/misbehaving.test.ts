import { type AnyClient, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { MISBEHAVIOURS, misbehave, type Peer, SECRET } from "@recourse/testing/peer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Outcome, observeTransport, type RecourseClient, recourse } from "../../../src/client/index.ts";
import { render } from "../../../src/index.ts";
import { releaseFault } from "../../../src/server/release.ts";
import { connectThrough } from "./observed/call-server.ts";

/** The reason, effect and wait of each failure, the same for every client with an observed transport. */
const EXPECTED: Readonly<Record<string, string>> = {
  "lost-socket": "transport/connection_lost possible",
  "lost-stream": "transport/connection_lost possible",
  "lost-stream-reset": "transport/connection_lost possible",
  "lost-502": "transport/http_failed possible",
  "lost-504": "core/timeout possible",
  "lost-silence": "core/timeout possible",
  "stalled-body": "core/timeout possible",
  "reset-mid-stream": "transport/connection_lost possible",
  "not-json": "protocol/invalid_result possible",
  "html-200": "protocol/invalid_result possible",
  "text-plain": "protocol/invalid_result possible",
  "accepted-202": "transport/connection_lost possible",
  "401-challenge": "auth/unauthorized none",
  "403-insufficient-scope": "auth/insufficient_scope none",
  "404-session-lost": "protocol/session_not_found none",
  "404-method-not-found": "protocol/method_not_found none",
  "413-too-large": "content/message_too_large none",
  "429-seconds": "core/rate_limited none 2000",
  "429-ratelimit": "core/rate_limited none 5000",
  "500-rpc": "transport/http_failed possible",
  "503-retry-after": "core/unavailable possible 1000",
  "503-problem": "core/unavailable possible 1000",
  "replay-unknown-tool-v1": "tool/not_found none",
  "replay-unknown-tool-v2": "tool/not_found none",
};

/** What never answers ends at its deadline; everything else has time, however busy the machine is. */
const SILENT: ReadonlySet<string> = new Set([
  "lost-silence",
  "dropped-silence",
  "late-after-cancel",
  "stalled-head",
  "stalled-body",
  "stalled-stream",
  "wrong-id",
  "stream-wrong-id",
]);

const summaryOf = (outcome: Outcome<unknown>): string =>
  outcome.ok === false
    ? [outcome.fault.reason, outcome.fault.effect, outcome.fault.retry?.afterMs].filter(Boolean).join(" ")
    : String(outcome.ok);

const names = Object.keys(MISBEHAVIOURS);

/** The calls of one client, and the server that they were made to. */
interface Called {
  readonly outcomes: ReadonlyMap<string, { readonly id: string; readonly outcome: Outcome<unknown> }>;
  readonly peer: Peer;
  readonly client: AnyClient;
}

/** Meets every misbehaviour at once. */
async function callAll(era: Era): Promise<Called> {
  const outcomes = new Map<string, { readonly id: string; readonly outcome: Outcome<unknown> }>();
  const peer = await misbehave({ delayMs: 50 });
  const observer = observeTransport();
  const client = await connectThrough(era, peer.url, observer);
  let id = "";
  const createId = () => {
    id = crypto.randomUUID();
    return id;
  };
  const mcp: RecourseClient = recourse(client as never, {
    transport: observer,
    testing: { createId },
    retry: { breaker: false, policy: { attempts: 1 } },
  });
  const calls = names.map(async (name) => {
    const meta = { "recourse/misbehave": name };
    const deadlineMs = SILENT.has(name) ? 3_000 : 50_000;
    const outcome = mcp.call("charge", { amount: 1 }, { meta, conversation: {}, deadlineMs });
    outcomes.set(name, { id, outcome: await outcome });
  });
  await Promise.all(calls);
  return { outcomes, peer, client };
}

// Silent servers are waited for, so all clients wait at the same time.
const called = new Map<Era, Called>();
beforeAll(async () => {
  await Promise.all(ERAS.map(async (era) => called.set(era, await callAll(era))));
});
afterAll(async () => {
  for (const { client, peer } of called.values()) {
    await client.close();
    await peer.close();
  }
});

describe.each(ERAS)("%s, with a server that misbehaves in every way", (era) => {
  let outcomes: Called["outcomes"];
  let peer: Peer;
  beforeAll(() => {
    ({ outcomes, peer } = called.get(era) as Called);
  });

  test("no call rejects or hangs, and no fault hides an effect", () => {
    const { calls } = peer.effects();
    for (const name of names) {
      const { id, outcome } = outcomes.get(name) ?? expect.fail(`${name} did not end`);
      const effects = calls[id] ?? 0;
      expect(effects, name).toBeLessThanOrEqual(1);
      if (outcome.ok === false && outcome.fault.effect === "none") expect(effects, name).toBe(0);
    }
  });

  test("the same failure has the same reason for every client", () => {
    const summaries = Object.keys(EXPECTED).map((name) => [
      name,
      summaryOf(outcomes.get(name)?.outcome as Outcome<unknown>),
    ]);
    expect(Object.fromEntries(summaries)).toEqual(EXPECTED);
  });

  test("what the server leaks stands in the quotation alone, and no server that sends the fault on shows it", () => {
    for (const [name, { outcome }] of outcomes) {
      if (outcome.ok !== false) continue;
      const { quote: _, ...rest } = outcome.fault;
      expect(JSON.stringify(rest), name).not.toContain(SECRET);
      const sent = releaseFault(outcome.fault, { foreignText: "quote" }).fault;
      expect(JSON.stringify(sent), name).not.toContain(SECRET);
      expect(render(sent, { for: "model" }), name).not.toContain(SECRET);
    }
  });
});
