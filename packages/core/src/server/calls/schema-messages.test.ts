import { connectPair, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { toJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expect, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import { readFault } from "../../fault/read.ts";
import { registerSecrets } from "../../safety/secrets.ts";
import { guard } from "../guard.ts";

/** What a model reads, and the issues of the fault, if a tool with this schema is called over HTTP. */
async function refuse(era: Era, inputSchema: unknown, args: Record<string, unknown>) {
  const pair = await connectPair(era, (made) => {
    const server = guard(made as never, { sink: () => {} });
    (server as typeof made).registerTool("book", { inputSchema } as object, () => ({ content: [] }));
    return server as never;
  });
  try {
    const result = (await pair.client.callTool({ name: "book", arguments: args })) as {
      readonly content: readonly { readonly text: string }[];
      readonly _meta?: Record<string, unknown>;
    };
    return { text: result.content[0]?.text ?? "", issues: readFault(result._meta?.["recourse/fault"])?.issues };
  } finally {
    await pair.close();
  }
}

const says = (problems: string) =>
  `Wrong arguments for the tool "book": ${problems}. Correct the arguments and call again.`;

const IBAN = /^DE\d{20}$/;
const never = () => false;

/** A schema, what is sent, and what the model reads about it. */
type Case = readonly [what: string, schema: object, args: Record<string, unknown>, problems: string];

const ZOD_4: readonly Case[] = [
  [
    "refine",
    z.object({ room: z.string().refine(never, "There is no such room.") }),
    { room: "7" },
    "room: There is no such room",
  ],
  [
    "a function that makes the message",
    z.object({ room: z.string().refine(never, { error: ({ input }) => `${String(input)} is taken` }) }),
    { room: "7" },
    "room: 7 is taken",
  ],
  [
    "superRefine at a path of its own",
    z.object({ from: z.string(), to: z.string() }).superRefine(({ from, to }, ctx) => {
      if (from > to) ctx.addIssue({ code: "custom", path: ["to"], message: "must not be before from" });
    }),
    { from: "b", to: "a" },
    "to: must not be before from",
  ],
  [
    "check",
    z.object({
      size: z
        .number()
        .check((ctx) => void ctx.issues.push({ code: "custom", message: "only even sizes", input: ctx.value })),
    }),
    { size: 3 },
    "size: only even sizes",
  ],
  [
    "the whole object",
    z.object({ a: z.string(), b: z.string() }).refine(never, "a and b must differ"),
    { a: "1", b: "1" },
    "a and b must differ",
  ],
  ["a type", z.object({ n: z.number("say how many") }), { n: "x" }, "n: say how many"],
  ["a missing argument", z.object({ n: z.number({ error: "say how many" }) }), {}, "n: say how many"],
  [
    "a choice",
    z.object({ size: z.enum(["S", "M"], { error: "we only have S and M" }) }),
    { size: "XL" },
    "size: we only have S and M",
  ],
  ["a list", z.object({ ids: z.array(z.string().refine(never, "unknown id")) }), { ids: ["a"] }, "ids[0]: unknown id"],
  [
    "beside a message of the library",
    z.object({ iban: z.string().min(22).regex(IBAN, "must be a German IBAN") }),
    { iban: "x" },
    "iban must have at least 22 characters; iban: must be a German IBAN",
  ],
  [
    "a message that names its argument",
    z.object({ room: z.string().refine(never, "room is taken") }),
    { room: "7" },
    "room is taken",
  ],
  ["none at a check of its own", z.object({ room: z.string().refine(never) }), { room: "7" }, "room is not accepted"],
];

const MINI: readonly Case[] = [
  [
    "mini",
    mini.object({ room: mini.string().check(mini.refine(never, "choose a free room")) }),
    { room: "7" },
    "room: choose a free room",
  ],
];

const ZOD_3: readonly Case[] = [
  [
    "Zod 3, refine",
    z3.object({ room: z3.string().refine(never, "choose a free room") }).shape,
    { room: "7" },
    "room: choose a free room",
  ],
  ["Zod 3, a type", { n: z3.number({ invalid_type_error: "say how many" }) }, { n: "x" }, "n: say how many"],
  ["Zod 3, missing", { n: z3.number({ required_error: "say how many" }) }, {}, "n: say how many"],
  [
    "Zod 3, a choice",
    { size: z3.enum(["S", "M"], { errorMap: () => ({ message: "we only have S and M" }) }) },
    { size: "XL" },
    "size: we only have S and M",
  ],
  ["Zod 3, a choice without message", { size: z3.enum(["S", "M"]) }, { size: "XL" }, "size must be one of S, M"],
  ["Zod 3, none", { room: z3.string().refine(never) }, { room: "7" }, "room is not accepted"],
];

/** An object of Valibot with its JSON Schema, which leaves out checks of the author. */
function object(entries: v.ObjectEntries): object {
  const schema = v.object(entries);
  const input = () => toJsonSchema(schema, { errorMode: "ignore" });
  return { ...schema, "~standard": { ...schema["~standard"], jsonSchema: { input, output: input } } };
}

const VALIBOT: readonly Case[] = [
  [
    "Valibot, check",
    object({ room: v.pipe(v.string(), v.check(never, "choose a free room")) }),
    { room: "7" },
    "room: choose a free room",
  ],
  ["Valibot, a type", object({ n: v.number("say how many") }), { n: "x" }, "n: say how many"],
  ["Valibot, none", object({ room: v.pipe(v.string(), v.check(never)) }), { room: "7" }, "room is not accepted"],
];

const ARKTYPE: readonly Case[] = [
  [
    "ArkType, mustBe",
    type({ room: type("string").narrow((_, ctx) => ctx.mustBe("a free room")) }),
    { room: "secret" },
    "room must be a free room",
  ],
  [
    "ArkType, reject",
    type({ room: type("string").narrow((_, ctx) => ctx.reject({ problem: "is taken" })) }),
    { room: "secret" },
    "room: is taken",
  ],
  [
    "ArkType, configure",
    type({ iban: type(IBAN).configure({ message: "needs a German IBAN" }) }),
    { iban: "secret" },
    "iban: needs a German IBAN",
  ],
  [
    "ArkType, describe",
    type({ iban: type(IBAN).describe("a German IBAN") }),
    { iban: "secret" },
    "iban must be a German IBAN",
  ],
  ["ArkType, none", type({ iban: type(IBAN) }), { iban: "secret" }, "iban must be text matching ^DE\\d{20}$"],
  [
    "ArkType, JSON, whose parser repeats the text",
    type({ doc: "string.json" }),
    { doc: "{secret" },
    "doc must be a JSON string",
  ],
];

test.each([...ZOD_4, ...MINI, ...VALIBOT, ...ARKTYPE])(
  "version 2 of the SDK: %s",
  async (_, schema, args, problems) => {
    expect((await refuse("v2 modern", schema, args)).text).toBe(says(problems));
  },
);

test.each([...ZOD_4, ...ZOD_3, ...MINI])("version 1 of the SDK: %s", async (_, schema, args, problems) => {
  expect((await refuse("v1", schema, args)).text).toBe(says(problems));
});

test.each(ERAS)("%s: the sentence stands in the data at its path, in place of what the schema expects", async (era) => {
  const schema = z.object({ iban: z.string().regex(IBAN, "must be a German IBAN") });
  expect((await refuse(era, schema, { iban: "x" })).issues).toEqual([
    { pointer: "/iban", rule: "format", message: "must be a German IBAN" },
  ]);
});

test("a registered secret and a credential are cut out of a message", async () => {
  const forget = registerSecrets("hunter2-registered");
  try {
    for (const [message, shown] of [
      ["ask for hunter2-registered", "ask for [removed]"],
      ["use postgres://app:hunter2@db.example.com instead", "use postgres://app:[removed]@db.example.com instead"],
    ] as const) {
      const schema = z.object({ iban: z.string().regex(IBAN, message) });
      const { text } = await refuse("v2 modern", schema, { iban: "x" });
      expect(text).toBe(says(`iban: ${shown}`));
    }
  } finally {
    forget();
  }
});

test.each(ERAS)("%s: the message for an argument of a prompt", async (era) => {
  const pair = await connectPair(era, (made) => {
    const server = guard(made as never, { sink: () => {} });
    const shape = { room: z.string().refine(never, "choose a free room") };
    const argsSchema = era === "v1" ? shape : z.object(shape);
    (server as typeof made).registerPrompt("welcome", { argsSchema } as object, () => ({ messages: [] }));
    return server as never;
  });
  try {
    const asked = pair.client.getPrompt({ name: "welcome", arguments: { room: "hunter2" } });
    const { message, data } = await asked.then(
      () => expect.unreachable(),
      (error: { message: string; data: Record<string, unknown> }) => error,
    );
    expect(message).toContain("room: choose a free room.");
    expect(readFault(data["recourse/fault"])?.issues).toEqual([
      { pointer: "/room", rule: "custom", message: "choose a free room" },
    ]);
  } finally {
    await pair.close();
  }
});
