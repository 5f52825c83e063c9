import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { invalid_arguments } from "../reasons/library/tool.ts";
import { render } from "../render/render.ts";
import { issuesFor } from "./issues.ts";
import { askValidator } from "./messages.ts";

/** What a model reads of arguments that a schema refuses; undefined if it takes them. */
async function refusal(schema: unknown, args: unknown): Promise<string | undefined> {
  const { paths, ...reported } = await askValidator(schema, args);
  if (paths.length + reported.messages.length === 0) return undefined;
  const issues = issuesFor(args, undefined, paths, reported);
  return `${render(invalid_arguments.fault({}, { issues }), { for: "model" })} ${JSON.stringify(issues)}`;
}

const messages = async (schema: unknown, args: unknown) =>
  (await askValidator(schema, args)).messages.map(({ path, text }) => [path.join("."), text?.trim()]);

describe("without a message of the author, no part of a received value appears", () => {
  // Marks that no library writes by itself, around what a caller may send.
  const received = fc.string({ maxLength: 40 }).map((text) => `Qx7${text}Zw9`);
  const value = fc.oneof(
    received,
    fc.array(received, { maxLength: 3 }),
    fc.dictionary(received, received, { maxKeys: 2 }),
  );

  const zod4 = fc.constantFrom<z.ZodType>(
    z.number(),
    z.email(),
    z.uuid(),
    z.url(),
    z.iso.date(),
    z.string().regex(/^DE\d{20}$/),
    z.string().max(2),
    z.string().startsWith("a"),
    z.string().refine(() => false),
    z.literal("x"),
    z.enum(["S", "M"]),
    z.union([z.literal("S"), z.number()]),
    z.discriminatedUnion("by", [z.object({ by: z.literal("a") }), z.object({ by: z.literal("b") })]),
    z.array(z.number()),
    z.record(z.string().max(1), z.number()),
    z.strictObject({}),
    z.tuple([z.number()]),
    z.string().transform(Number).pipe(z.number()),
    z.stringbool(),
    z.json().refine(() => false),
    z.date(),
    z.never(),
    z.file(),
    z.templateLiteral(["a", z.number()]),
  );
  const zod3 = fc.constantFrom<z3.ZodTypeAny>(
    z3.number(),
    z3.string().email(),
    z3.string().datetime(),
    z3.string().max(2),
    z3.string().regex(/x{9}/),
    z3.string().refine(() => false),
    z3.literal("x"),
    z3.enum(["S", "M"]),
    z3.nativeEnum({ S: "s" }),
    z3.union([z3.literal("S"), z3.number()]),
    z3.discriminatedUnion("by", [z3.object({ by: z3.literal("a") })]),
    z3.array(z3.number()),
    z3.object({}).strict(),
    z3.record(z3.string().max(1), z3.number()),
    z3.date(),
    z3.never(),
  );
  const valibot = fc.constantFrom<v.GenericSchema>(
    v.number(),
    v.pipe(v.string(), v.email()),
    v.pipe(v.string(), v.maxLength(2)),
    v.pipe(v.string(), v.regex(/x{9}/)),
    v.pipe(
      v.string(),
      v.check(() => false),
    ),
    v.pipe(v.string(), v.isoDate()),
    v.literal("x"),
    v.picklist(["S", "M"]),
    v.union([v.literal("S"), v.number()]),
    v.variant("by", [v.object({ by: v.literal("a") })]),
    v.array(v.number()),
    v.strictObject({}),
    v.record(v.pipe(v.string(), v.maxLength(1)), v.number()),
    v.never(),
  );
  const arktype = fc.constantFrom<unknown>(
    type("number"),
    type("string.email"),
    type("string.json.parse"),
    type("string.date.parse"),
    type("string.integer.parse"),
    type("string.regex"),
    type("string.url.parse"),
    type("string <= 2"),
    type("'S' | 'M'"),
    type(/x{9}/),
    type("number[]"),
    type({ a: "number" }),
    type({ "+": "reject" }),
    type("string").narrow(() => false),
    type("string").narrow((_, ctx) => ctx.mustBe("a free room")),
    type({ nested: z3.enum(["S", "M"]) as never }),
  );

  it.each<[string, fc.Arbitrary<unknown>, (inner: never) => unknown]>([
    ["Zod 4", zod4, (inner) => z.object({ a: inner })],
    ["Zod 3", zod3, (inner) => z3.object({ a: inner })],
    ["Valibot", valibot, (inner) => v.object({ a: inner })],
    ["ArkType", arktype, (inner) => type({ a: inner })],
  ])("%s", async (_, schemas, around) => {
    await fc.assert(
      fc.asyncProperty(schemas, value, async (inner, a) => {
        const text = (await refusal(around(inner as never), { a })) ?? "";
        expect(text).not.toMatch(/Qx7|Zw9/);
      }),
      { numRuns: 300 },
    );
  });
});

it("a schema of another library says nothing of its own: it may write received values", async () => {
  const validate = () => ({ issues: [{ message: "must not be hunter2", path: ["a"] }] });
  const other = { "~standard": { version: 1, vendor: "other", validate } };
  expect(await askValidator(other, { a: "hunter2" })).toEqual({ paths: [["a"]], rules: new Map(), messages: [] });
  for (const nothing of [undefined, null, 7, {}, { "~standard": 1 }, { "~standard": { vendor: "zod" } }])
    expect((await askValidator(nothing, {})).paths).toEqual([]);
});

it("a schema that throws, or that has thousands of issues, does no harm", async () => {
  const throwing = z.object({
    a: z.string().refine(() => {
      throw new Error("no");
    }),
  });
  expect((await askValidator(throwing, { a: "x" })).messages).toEqual([]);
  const late = type({
    a: type("string > 9").configure({
      message: () => {
        throw new Error("no");
      },
    }),
  });
  expect((await askValidator(late, { a: "x" })).paths).toEqual([["a"]]);
  const many = z.array(z.string().refine(() => false, "no"));
  expect(
    await messages(
      many,
      Array.from({ length: 5_000 }, () => "x"),
    ),
  ).toHaveLength(100);
});

it("what Zod 3 said of a value elsewhere is not passed on with it", async () => {
  const schema = z3.string().superRefine((text, ctx) => {
    for (const issue of z3.enum(["S", "M"]).safeParse(text).error?.issues ?? []) ctx.addIssue(issue);
  });
  expect(await messages(schema, "hunter2")).toEqual([]);
});

it("checks that are asynchronous are waited for", async () => {
  const free = async () => false;
  expect(await messages(z.object({ a: z.string().refine(free, "taken") }), { a: "x" })).toEqual([["a", "taken"]]);
  const schema = v.objectAsync({ a: v.pipeAsync(v.string(), v.checkAsync(free, "taken")) });
  expect(await messages(schema, { a: "x" })).toEqual([["a", "taken"]]);
});

it("Valibot's own sentences are known in every language", async () => {
  const said = ({ received }: { readonly received: string }) => `Ungültig: ${received} erhalten`;
  v.setSpecificMessage(v.email, said, "de");
  v.setGlobalConfig({ lang: "de" });
  try {
    const schema = toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.email()) }));
    expect(await messages(schema, { a: "hunter2" })).toEqual([]);
  } finally {
    v.deleteGlobalConfig();
    v.deleteSpecificMessage(v.email, "de");
  }
});

it("a problem that ArkType's author wrote is hidden if it repeats what was sent", async () => {
  const schema = type({ a: type("string").narrow((text, ctx) => ctx.reject({ problem: `not ${text}` })) });
  expect(await messages(schema, { a: "hunter2" })).toEqual([]);
});
