import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import * as z from "zod";
import { platica } from "../../dialects/index.ts";
import { guard } from "../guard.ts";

/** The issues that a caller of platica reads. */
async function issuesOf(inputSchema: z.ZodObject, args: Record<string, unknown>) {
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {}, dialect: platica });
  server.registerTool("run", { inputSchema }, () => ({ content: [] }));
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const { structuredContent } = await client.callTool({ name: "run", arguments: args });
  await client.close();
  return (structuredContent as { readonly issues?: unknown } | undefined)?.issues;
}

test.each([
  ["a text of blanks", z.string().trim().min(1), "   ", "too_small"],
  [
    "a text that is too long as it is read",
    z
      .string()
      .transform((s) => s + s)
      .pipe(z.string().max(3)),
    "ab",
    "too_big",
  ],
  ["a number in a text", z.string().transform(Number).pipe(z.number().min(5)), "3", "too_small"],
  ["a step of a number in a text", z.string().transform(Number).pipe(z.number().multipleOf(5)), "3", "not_multiple_of"],
  [
    "a choice as it is read",
    z
      .string()
      .toLowerCase()
      .pipe(z.enum(["a", "b"])),
    "C",
    "invalid_value",
  ],
  ["a rule of your own", z.string().refine(() => false, "must be ok"), "x", "custom"],
])(
  "%s has the code of the validator, where the published schema allows the value",
  async (_what, schema, ref, code) => {
    expect(await issuesOf(z.object({ ref: schema }), { ref })).toMatchObject([{ path: ["ref"], code }]);
  },
);

test("inside a record, whose keys are the caller's, the record has no such code: it is not too small itself", async () => {
  const schema = z.object({ notes: z.record(z.string(), z.string().trim().min(1)) });
  expect(await issuesOf(schema, { notes: { a: " " } })).toMatchObject([{ path: ["notes"], code: "custom" }]);
});

test("a sentence of yours has its place, and the code of the check stays", async () => {
  const ref = z.string().min(22, "must be a German IBAN");
  expect(await issuesOf(z.object({ ref }), { ref: "DE" })).toEqual([
    { path: ["ref"], message: "must be a German IBAN", code: "too_small", origin: "string" },
  ]);
});
