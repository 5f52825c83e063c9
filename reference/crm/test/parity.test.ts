// A tool and its operation of the REST API succeed or fail together, with the same document.

import { tokenBuckets } from "@recourse/reference-shared";
import { isNightly } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterAll, afterEach, expect, test } from "vitest";
import { OPERATIONS } from "../src/operations/operations.ts";
import { observe, observeRest } from "./support/observers.ts";
import { createTestEnvironment, KEYS, type TestEnvironment } from "./support/test-environment.ts";
import { bearer, type ToolCall } from "./support/tool-call.ts";

// Calls change data, so MCP and REST have an environment each: the same calls lead both through the same states.
/** One id for all requests, so that answers can be compared. */
const newId = () => "6f1c2f6e-5a0a-4a7e-9d5e-2f1a3b4c5d6e";
const [tools, rest] = await Promise.all([createTestEnvironment(newId), createTestEnvironment(newId)]);
const both = [tools, rest] as const;
const generous = both.map(({ limiter }) => limiter);
afterAll(async () => {
  for (const environment of both) await environment.close();
});
afterEach(() => {
  for (const [at, environment] of both.entries()) {
    environment.proxy.reconnect();
    environment.limiter = generous[at] as TestEnvironment["limiter"];
  }
});

/** Makes a call over MCP and over REST, and expects equal answers. */
async function expectSame(toolCall: ToolCall): Promise<number> {
  const [observed, answer] = await Promise.all([
    observe("plain HTTP", tools.mcp, toolCall),
    observeRest(rest.rest, toolCall),
  ]);
  const { result } = observed.message;
  const about = JSON.stringify(toolCall);
  if (Array.isArray(result?.structuredContent?.["issues"])) {
    // The tool's own schema refused it, so it was never sent; the API would have refused it too.
    expect(answer.status, about).toBe(400);
  } else {
    expect(result?.content?.[0]?.text, about).toBe(answer.text);
    expect(result?.isError === true, about).toBe(answer.status >= 400);
    const retryable = result?.structuredContent?.["retryable"];
    const expected = { ...answer.body, ...(retryable !== undefined && { retryable }) };
    expect(result?.structuredContent, about).toEqual(expected);
  }
  return answer.status;
}

const ARGS: Readonly<Record<string, readonly object[]>> = {
  listClients: [{}, { stage: "lead" }, { limit: 1 }, { limit: 0 }, { stage: "friend" }],
  createClient: [
    { name: "Zoë 😀", email: "zoe@example.com" },
    { name: "two\nlines", email: "a@example.com" },
    { name: "😀".repeat(60), email: "a@example.com" },
    { name: "Zoë", email: "nobody" },
    {},
  ],
  createCampaign: [
    { name: "Autumn", agent_id: "1", starts_on: "2027-09-01", ends_on: "2027-09-30" },
    { name: "Autumn", agent_id: "1", starts_on: "2027-09-30", ends_on: "2027-09-01" },
    { name: "Autumn", agent_id: "4", starts_on: "2027-09-01", ends_on: "2027-09-30" },
    { name: "Autumn", agent_id: "1", starts_on: "2027-02-30", ends_on: "2027-09-30" },
    { name: "Autumn", agent_id: "1", starts_on: "0000-01-01", ends_on: "2027-09-30" },
  ],
  createWebhook: [
    { event: "client.created", url: "https://hooks.example.com/a b" },
    { event: "client.created", url: "http://hooks.example.com/" },
    { event: "client.lost", url: "https://hooks.example.com/" },
  ],
};
const LISTS: readonly object[] = [{}, { limit: 1 }, { limit: 101 }, { colour: "red" }];
const IDS: readonly object[] = ["1", "2", "3", "99", "999999999999999999", "0", "x", "%"].map((id) => ({ id }));
const WORKSPACES: readonly object[] = [{}, { workspace: "ws_north" }, { workspace: "ws_other" }, { workspace: "?" }];
const HONOURED = [KEYS.north, KEYS.both, KEYS.reader].map(bearer);
const REFUSED = [KEYS.revoked, KEYS.expired, "pl_key_unknown"].map(bearer);

function argsOf({ id, path }: (typeof OPERATIONS)[number]): readonly object[] {
  return ARGS[id] ?? (path.includes("{id}") ? IDS : LISTS);
}

/** All arguments in all workspaces with all keys at night; by day only the first arguments, the others once each. */
function callsOf(operation: (typeof OPERATIONS)[number]): readonly ToolCall[] {
  return argsOf(operation).flatMap((args, at) => {
    const count = isNightly || at === 0 ? undefined : 1;
    return WORKSPACES.slice(0, count).flatMap((workspace) =>
      HONOURED.slice(0, count).map((authorization) => ({
        tool: operation.id,
        args: { ...args, ...workspace },
        authorization,
      })),
    );
  });
}

test.each(OPERATIONS)("$id", async (operation) => {
  const statuses = new Set<number>();
  for (const call of callsOf(operation)) statuses.add(await expectSame(call));
  expect([...statuses]).toEqual(expect.arrayContaining([400, 403]));
  // The schema of a tool comes before the key, so the key is looked at only with arguments that suit it.
  const [args = {}] = argsOf(operation);
  for (const authorization of REFUSED) {
    expect(await expectSame({ tool: operation.id, args, authorization })).toBe(401);
  }
});

test("in any order", async () => {
  const call = fc.constantFrom(...OPERATIONS.flatMap(callsOf));
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 10 }), async (sequence) => {
      for (const toolCall of sequence) await expectSame(toolCall);
    }),
    { numRuns: isNightly ? 20 : 10 },
  );
});

test("for any client name", async () => {
  const client = fc.record({ name: fc.string({ unit: "binary", maxLength: 120 }), email: fc.emailAddress() });
  await fc.assert(
    fc.asyncProperty(client, async (args) => {
      await expectSame({ tool: "createClient", args, authorization: bearer(KEYS.north) });
    }),
    { numRuns: isNightly ? 60 : 20 },
  );
});

/** Failures that are caused in both environments. */
const TROUBLES: Readonly<Record<number, (environment: TestEnvironment) => Promise<unknown>>> = {
  429: async (environment) => {
    environment.limiter = tokenBuckets({ calls: 1, windowMs: 60_000, now: () => 0 });
    await fetch(`${environment.rest}/v1/agents`, { headers: { authorization: bearer(KEYS.north) } });
  },
  503: async (environment) => environment.proxy.disconnect(),
  500: (environment) => environment.database.query("alter table key_workspace rename column key_id to gone"),
};

test.each(Object.entries(TROUBLES))("status %s, for every tool", async (status, arrange) => {
  for (const environment of both) await arrange(environment);
  try {
    for (const operation of OPERATIONS) {
      const [args = {}] = argsOf(operation);
      const toolCall = { tool: operation.id, args, authorization: bearer(KEYS.north) };
      expect(await expectSame(toolCall), operation.id).toBe(Number(status));
    }
  } finally {
    const undo = "alter table key_workspace rename column gone to key_id";
    if (status === "500") for (const environment of both) await environment.database.query(undo);
  }
});
