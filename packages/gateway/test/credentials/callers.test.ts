// Very many callers at once: how often the service is asked, and that nobody is taken for another.
import { eventually } from "@recourse/test-kit/eventually";
import { holdTimers } from "@recourse/test-kit/held-timers";
import { isNightly } from "@recourse/test-kit/runs";
import { beforeEach, expect, test } from "vitest";
import {
  asked,
  callWith,
  guardedConfig,
  holdTokens,
  openGateway,
  openGuarded,
  openProvider,
  outcomeOf,
} from "./support.ts";

beforeEach(holdTokens);

const HOUR_MS = 3_600_000;
const CALLERS = isNightly ? 1_000 : 200;

/** Runs a task for each item, so many at a time. */
async function forAll<T, R>(items: readonly T[], width: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}

test("each of very many callers costs one request, then none; few are under way, and nobody is taken for another", async () => {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const gateway = await openGateway(provider, [guardedConfig(upstream, "exchange", provider, { maxCalls: 4_096 })]);
  const names = Array.from({ length: CALLERS }, (_, at) => `person-${at}`);
  const tokens = await Promise.all(names.map((name) => provider.sign(name)));
  const once = () => forAll(tokens, 200, (token) => outcomeOf(callWith(gateway, token)));
  expect(await once()).toEqual(names);
  expect(asked(provider)["exchange"]).toBe(CALLERS);
  expect(provider.peak()).toBeLessThanOrEqual(16);
  // Every caller again, in several calls at once and in another order.
  const shuffled = [...tokens.keys(), ...tokens.keys()].toSorted(
    (a, b) => ((a * 7_919) % 1_009) - ((b * 7_919) % 1_009),
  );
  const again = await forAll(shuffled, 200, (at) => outcomeOf(callWith(gateway, tokens[at] as string)));
  expect(again).toEqual(shuffled.map((at) => names[at]));
  expect(asked(provider)["exchange"]).toBe(CALLERS);
  // No caller's own token, and no token of two callers.
  const owners = Map.groupBy(
    upstream.seen.filter(({ method }) => method === "tools/call"),
    ({ token }) => token,
  );
  expect(owners.size).toBe(CALLERS);
  for (const seen of owners.values()) expect(new Set(seen.map(({ subject }) => subject)).size).toBe(1);
  expect(tokens.some((token) => owners.has(token))).toBe(false);
});

test("calls of one caller at the same moment share one request", async () => {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const gateway = await openGateway(provider, [guardedConfig(upstream, "exchange", provider)]);
  const ada = await provider.sign("ada");
  const release = provider.hold();
  const calls = Array.from({ length: 50 }, () => outcomeOf(callWith(gateway, ada)));
  await eventually(async () => expect(await gateway.metrics()).toMatch(/^recourse_gateway_active_requests\b.* 50$/m));
  release();
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["ada"]));
  expect(asked(provider)["exchange"]).toBe(1);
});

test("a caller whose time is over is told so, and does not hold up the others", async () => {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const config = guardedConfig(upstream, "exchange", provider, { timeoutMs: HOUR_MS });
  const gateway = await openGateway(provider, [config], { deadlineMs: 2 * HOUR_MS });
  const [ada, bob] = [await provider.sign("ada"), await provider.sign("bob")];
  await outcomeOf(callWith(gateway, ada));
  const before = provider.requests.length;
  const release = provider.hold();
  using deadline = holdTimers(HOUR_MS);
  const late = outcomeOf(callWith(gateway, bob));
  await eventually(() => expect(provider.requests).toHaveLength(before + 1));
  expect(await outcomeOf(callWith(gateway, ada))).toBe("ada");
  deadline.fire();
  expect(await late).toBe("transport/not_sent");
  expect(await outcomeOf(callWith(gateway, ada))).toBe("ada");
  release();
  expect(upstream.seen.map(({ subject }) => subject)).not.toContain("bob");
});
