// A thousand callers at once: how often the service is asked, and that nobody is taken for another.
import { expect, test } from "vitest";
import { asked, callWith, guardedConfig, openGateway, openGuarded, openProvider, outcomeOf } from "./support.ts";

const CALLERS = 1_000;

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

test("each of a thousand callers costs one request, then none; few are under way, and nobody is taken for another", async () => {
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
}, 60_000);

test("calls of one caller at the same moment share one request", async () => {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const gateway = await openGateway(provider, [guardedConfig(upstream, "exchange", provider)]);
  const ada = await provider.sign("ada");
  provider.mood.delayMs = 50;
  const all = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(callWith(gateway, ada))));
  expect(new Set(all)).toEqual(new Set(["ada"]));
  expect(asked(provider)["exchange"]).toBe(1);
});

test("a caller whose time is over is told so, and does not hold up the others", async () => {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const config = guardedConfig(upstream, "exchange", provider, { timeoutMs: 300 });
  const gateway = await openGateway(provider, [config]);
  const [ada, bob] = [await provider.sign("ada"), await provider.sign("bob")];
  await outcomeOf(callWith(gateway, ada));
  provider.mood.delayMs = 2_000;
  const beganMs = performance.now();
  expect(await outcomeOf(callWith(gateway, bob))).toBe("transport/not_sent");
  expect(performance.now() - beganMs).toBeLessThan(1_500);
  expect(await outcomeOf(callWith(gateway, ada))).toBe("ada");
  expect(upstream.seen.map(({ subject }) => subject)).not.toContain("bob");
});
