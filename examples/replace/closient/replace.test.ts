// The server before and after the move, over HTTP.
import { readFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/client";
import { recourse } from "@recourse/faults/client";
import type { Incident } from "@recourse/faults/server";
import { connectHttpPair, type SdkPair } from "@recourse/test-kit/sdk-pairs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createServer as after } from "./after.ts";
import { createServer as before } from "./before.ts";
import { type CatalogueOptions, OATS, openCatalogue, PRINTED } from "./catalogue.ts";

const SIDES = { before, after } as const;
type Side = keyof typeof SIDES;

const incidents: Incident[] = [];
const pairs: SdkPair[] = [];
afterEach(async () => {
  incidents.length = 0;
  for (const pair of pairs.splice(0)) await pair.close();
});

/** Serves one side and connects a client. */
async function connect(side: Side, options: CatalogueOptions = {}): Promise<Client> {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const catalogue = openCatalogue(options);
  const sink = (one: Incident) => void incidents.push(one);
  const pair = await connectHttpPair("v2 modern", () => SIDES[side](catalogue, sink));
  pairs.push(pair);
  return pair.client as unknown as Client;
}

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly text?: string }[];
  readonly error?: { readonly code: number; readonly message: string; readonly data: Record<string, unknown> };
}

async function answerOf(side: Side, tool: string, args: Record<string, unknown>, options?: CatalogueOptions) {
  const client = await connect(side, options);
  return (await client.callTool({ name: tool, arguments: args })) as unknown as Answer;
}

const CALLS: readonly (readonly [what: string, args: Record<string, string>, options: CatalogueOptions])[] = [
  ["an unknown GTIN", { gtin: PRINTED }, {}],
  ["a wrong check digit", { gtin: "00614141123453" }, {}],
  ["a used-up limit", { gtin: OATS }, { calls: 0 }],
  ["a database that is away", { gtin: OATS }, { isAway: true }],
];

describe("what clients get from both", () => {
  test.each(CALLS)("%s: the same error object", async (_what, args, options) => {
    const [old, moved] = await Promise.all(
      (["before", "after"] as const).map((side) => answerOf(side, "resolve_gtin", args, options)),
    );
    const { detail: _old, timestamp: oldTime, ...promised } = old?.error?.data ?? {};
    expect(moved?.error).toMatchObject({ code: old?.error?.code, message: old?.error?.message, data: promised });
    for (const time of [oldTime, moved?.error?.data["timestamp"]]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    }
  });

  test.each(Object.keys(SIDES) as Side[])("the document's example, and a success without error: %s", async (side) => {
    const { error } = await answerOf(side, "resolve_gtin", { gtin: PRINTED });
    expect(error).toEqual({
      code: -32200,
      message: "Not Found",
      data: {
        type: "https://closient.com/docs/errors/not_found",
        title: "Not Found",
        status: 404,
        detail: `No product found for GTIN ${PRINTED}`,
        error_code: "not_found",
        retryable: false,
        timestamp: expect.any(String),
      },
    });
    const found = await answerOf(side, "resolve_gtin", { gtin: OATS });
    expect(found.structuredContent).toEqual({ gtin: OATS, url: "https://products.example.com/oats" });
    expect(found).not.toHaveProperty("error");
  });

  const BAD_INPUT: readonly Record<string, unknown>[] = [{ gtin: "1" }, { gtin: 5 }, { gtin: null }, {}];
  test.each(BAD_INPUT.flatMap((args) => [["before", args] as const, ["after", args] as const]))(
    "validate_gtin has no errors: %s %j",
    async (side, args) => {
      const judged = await answerOf(side, "validate_gtin", args);
      expect(judged.structuredContent).toEqual({ valid: false });
      expect(judged.isError).not.toBe(true);
      expect(judged).not.toHaveProperty("error");
    },
  );

  test.each(Object.keys(SIDES) as Side[])("a client kit reads both as failures: %s", async (side) => {
    const outcome = await recourse(await connect(side)).call("resolve_gtin", { gtin: PRINTED });
    expect(outcome).toMatchObject({ ok: false, fault: { reason: "core/not_found" } });
  });
});

describe("what got better", () => {
  const sides = async (args: Record<string, unknown>, options?: CatalogueOptions) => ({
    old: await answerOf("before", "resolve_gtin", args, options),
    moved: await answerOf("after", "resolve_gtin", args, options),
  });

  test("the password of the database stays here, under the id that the caller gets", async () => {
    const { old, moved } = await sides({ gtin: OATS }, { isAway: true });
    expect(JSON.stringify(old)).toContain("hunter2");
    expect(JSON.stringify(moved)).not.toContain("hunter2");
    expect(incidents).toHaveLength(1);
    expect(moved.error?.data["instance"]).toBe(incidents[0]?.fault.incident);
    expect(incidents[0]).toMatchObject({ cause: { message: expect.stringContaining("hunter2") } });
  });

  test("hosts that do not know the member error see a failure, and the model reads what to do", async () => {
    const { old, moved } = await sides({ gtin: PRINTED });
    expect([old.isError, moved.isError]).toEqual([undefined, true]);
    expect(old.content[0]?.text).toBe(`No product found for GTIN ${PRINTED}`);
    expect(moved.content[0]?.text).toBe(
      `No product found for GTIN ${PRINTED}. Call again with a different name or id.`,
    );
  });

  test("wrong arguments are -32101 even where the SDK finds them, and name the field", async () => {
    const { old, moved } = await sides({});
    expect(old).not.toHaveProperty("error");
    expect(moved.error).toMatchObject({ code: -32101, data: { errors: [{ pointer: "#/gtin", code: "required" }] } });
    const wrong = await sides({ gtin: "1" });
    expect(wrong.old.error?.data).not.toHaveProperty("errors");
    expect(wrong.moved.error?.data).toMatchObject({ errors: [{ pointer: "#/gtin", code: "format" }] });
  });
});

test("the page shows this code", () => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  const sources = [read("before.ts"), read("after.ts")];
  const page = read("../../../docs/replace/closient.md");
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code.trimEnd());
  expect(blocks.length).toBeGreaterThan(1);
  for (const block of blocks)
    expect(
      sources.some((source) => source.includes(block)),
      block,
    ).toBe(true);
});
