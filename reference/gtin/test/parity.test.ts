// A tool and its address in the REST API succeed or fail together, with the same payload or the same document.

import { tokenBuckets } from "@recourse/reference-shared";
import { isNightly } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { TOOLS } from "../src/operations/operations.ts";
import { almostGtin } from "./support/arbitraries.ts";
import { observe, observeRest, type ToolCall } from "./support/observers.ts";
import { createTestEnvironment } from "./support/test-environment.ts";

// With a fixed clock even the timestamps are equal.
const NOW = Date.parse("2026-04-26T02:34:56Z");
const environment = await createTestEnvironment({ now: () => NOW });
afterAll(() => environment.close());
const generous = environment.limiter;
afterEach(() => {
  environment.limiter = generous;
  environment.proxy.reconnect();
});

const rich = await environment.token(["qr:generate", "gtin:claim"]);
const poor = await environment.token(["something:else"]);
const TOKENS = [undefined, rich, poor, "not.a.token"];
const GTINS = [
  "09520123456788",
  "09521234543213",
  "00614141123452",
  "00614141123453",
  "2112345678900",
  "9801234567892",
  "x",
];
const MORE: readonly Readonly<Record<string, string>>[] = [
  {},
  { link_type: "gs1:instructions" },
  { link_type: "gs1:epil" },
  { language: "de" },
  { link_type: "x".repeat(200) },
  { lot: "L/1", serial: "é" },
  { lot: "L1", third_party_serial: "T1" },
  { lot: "" },
  { unknown: "1" },
];

/** Every input with every addition at night; by day one of the two is always the first of its list. */
const INPUTS = GTINS.flatMap((gtin, at) =>
  MORE.slice(0, isNightly || at === 0 ? undefined : 1).map((more) => ({ gtin, ...more })),
);

/** Calls a tool and its REST operation, and returns both answers in the same form. */
async function both(toolCall: ToolCall): Promise<{ tool: object; rest: object }> {
  const [observed, rest] = await Promise.all([
    observe("plain HTTP", environment.url, toolCall),
    observeRest(environment.url, toolCall),
  ]);
  const { result } = observed.message;
  const failure = result?.error === undefined ? {} : { status: result.error.data["status"] };
  const tool =
    result?.isError === true
      ? { ...failure, body: sameIncident({ ...result.error?.data, ...effectIn(result._meta) }) }
      : { status: 200, body: result?.structuredContent };
  return { tool, rest: { status: rest.status, body: sameIncident(rest.body) } };
}

/** The effect of a call, which a result has in `_meta` and a REST body has beside its other members. */
function effectIn(meta: Readonly<Record<string, unknown>> | undefined): object {
  return meta?.["recourse/effect"] === undefined ? {} : { effect: meta["recourse/effect"] };
}

/** Two calls that fail are two incidents: only whether there is one has to be the same. */
function sameIncident(body: Readonly<Record<string, unknown>> | undefined): unknown {
  return body !== undefined && "instance" in body ? { ...body, instance: "an incident" } : body;
}

describe.each(TOOLS.map(({ name }) => name))("%s", (tool) => {
  test("for every caller and input", async () => {
    for (const token of TOKENS) {
      for (const args of INPUTS) {
        const said = await both({ tool, args, token });
        expect(said.rest, JSON.stringify(args)).toEqual(said.tool);
      }
    }
  });

  test("during an outage of the database", async () => {
    environment.proxy.disconnect();
    for (const token of TOKENS) {
      const said = await both({ tool, args: { gtin: "09520123456788" }, token });
      expect(said.rest).toEqual(said.tool);
    }
  });

  test("when the quota is used up", async () => {
    environment.limiter = tokenBuckets({ calls: 1, windowMs: 60_000, now: () => 0 });
    await fetch(`${environment.url}/v1/gtin/09520123456788/product`);
    const said = await both({ tool, args: { gtin: "09520123456788" } });
    expect(said.rest).toEqual(said.tool);
    expect(said.rest).toHaveProperty("status", tool === "ping" || tool === "validate_gtin" ? 200 : 429);
  });

  test("for values that are nearly a GTIN", async () => {
    await fc.assert(
      // A URL parser takes dots for steps, so they never arrive.
      fc.asyncProperty(
        almostGtin.filter((text) => text.isWellFormed() && !/^\.*$/.test(text)),
        async (gtin) => {
          const said = await both({ tool, args: { gtin }, token: rich });
          expect(said.rest).toEqual(said.tool);
        },
      ),
      { numRuns: isNightly ? 60 : 20 },
    );
  });
});
