// Invalid arguments with common schema libraries: every issue is reported in plain words, and never the invalid value.

import { openPair } from "@recourse/test-kit/fixtures";
import { type AnyClient, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readFault } from "../../../src/index.ts";
import { guard } from "../../../src/server/index.ts";

/** Part of every invalid value and unknown key. */
const INVALID_VALUE = "zq7-swordfish";

const zodSchema = z.strictObject({
  name: z.string().min(1),
  guests: z.int().min(1).max(8),
  email: z.email(),
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  colour: z.enum(["red", "green"]),
  tags: z.array(z.string()).max(3),
  address: z.object({ city: z.string(), zip: z.string().length(5) }),
});

const valibotSchema = toStandardJsonSchema(
  v.strictObject({
    name: v.pipe(v.string(), v.minLength(1)),
    guests: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8)),
    email: v.pipe(v.string(), v.email()),
    day: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/)),
    colour: v.picklist(["red", "green"]),
    tags: v.pipe(v.array(v.string()), v.maxLength(3)),
    address: v.object({ city: v.string(), zip: v.pipe(v.string(), v.length(5)) }),
  }),
);

const arktypeSchema = type({
  "+": "reject",
  name: "string >= 1",
  guests: "1 <= number.integer <= 8",
  email: "string.email",
  day: /^\d{4}-\d{2}-\d{2}$/,
  colour: "'red' | 'green'",
  tags: "string[] <= 3",
  address: { city: "string", zip: "string == 5" },
});

/** A custom rule of the author, whose message contains the invalid value: Zod tells its own messages apart, the others do not. */
const CUSTOM_RULES = {
  zod: z.object({ code: z.string().refine(() => false, { error: ({ input }) => `${input} is not ours` }) }),
  valibot: toStandardJsonSchema(
    v.object({
      code: v.pipe(
        v.string(),
        v.check(
          () => false,
          ({ input }) => `${input} is not ours`,
        ),
      ),
    }),
  ),
  arktype: type({ code: type("string").narrow((code, context) => context.reject(`ours, not ${code}`)) }),
};

/** The lines that a model reads below the sentence. */
const LINES = [
  "- name is required (a string that is not empty)",
  "- guests must be an integer from 1 to 8",
  "- email must be an email address",
  "- day must be text matching ^\\d{4}-\\d{2}-\\d{2}$",
  "- colour must be one of red, green",
  "- tags[1] must be a string",
  "- address.city must be a string",
  "- address.zip must have exactly 5 characters",
  "- an argument is unknown (only name, guests, email, day, colour, tags, address)",
];

/** ArkType publishes names and choices in alphabetical order. */
const ALPHABETICAL = LINES.map((line) =>
  line
    .replace("red, green", "green, red")
    .replace(/only .*\)/, "only address, colour, day, email, guests, name, tags)"),
);

const V2: readonly Era[] = ["v2 modern", "v2 legacy"];
const LIBRARIES = [
  {
    name: "zod",
    schema: zodSchema,
    custom: CUSTOM_RULES.zod,
    problem: `code: ${INVALID_VALUE} is not ours`,
    lines: LINES,
    eras: ERAS,
  },
  // With a custom rule it publishes no JSON Schema, and a name that is not in a schema is not shown.
  {
    name: "valibot",
    schema: valibotSchema,
    custom: CUSTOM_RULES.valibot,
    problem: "the call is not accepted",
    lines: LINES,
    eras: V2,
  },
  {
    name: "arktype",
    schema: arktypeSchema,
    custom: CUSTOM_RULES.arktype,
    problem: "code is not accepted",
    lines: ALPHABETICAL,
    eras: V2,
  },
];
const VARIANTS = LIBRARIES.flatMap(({ eras, ...library }) => eras.map((era) => ({ ...library, era })));

const VALID = {
  name: "Ada",
  guests: 2,
  email: "ada@shop.example",
  day: "2026-11-15",
  colour: "red",
  tags: ["window"],
  address: { city: "Turin", zip: "10100" },
};

async function connect(era: Era, inputSchema: object): Promise<AnyClient> {
  const { client } = await openPair(era, (server) => {
    guard(server, { sink: () => {} });
    server.registerTool("book", { inputSchema }, () => ({ content: [{ type: "text", text: "booked" }] }));
    return server;
  });
  return client;
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

describe.each(VARIANTS)("$name on $era", ({ era, schema, custom, problem, lines }) => {
  const call = async (inputSchema: object, args: Record<string, unknown>): Promise<Result> =>
    (await (await connect(era, inputSchema)).callTool({ name: "book", arguments: args })) as Result;

  test("valid arguments pass", async () => {
    const result = await call(schema, VALID);
    expect(result).toMatchObject({ content: [{ text: "booked" }] });
    expect(result.isError).not.toBe(true);
  });

  test("all issues are reported at once", async () => {
    const { name: _missing, ...rest } = VALID;
    const wrong = {
      guests: 20,
      email: INVALID_VALUE,
      day: INVALID_VALUE,
      colour: INVALID_VALUE,
      tags: ["a", 7],
      // Only plain names of unknown arguments are shown.
      [`${INVALID_VALUE} 1`]: 1,
    };
    const result = await call(schema, { ...rest, ...wrong, address: { city: 5, zip: INVALID_VALUE } });
    expect(result.isError).toBe(true);
    const fault = readFault(result._meta?.["recourse/fault"]);
    expect(fault).toMatchObject({ reason: "tool/invalid_arguments", kind: "invalid_input", effect: "none" });
    expect(fault?.issues).toHaveLength(lines.length);
    expect(result.content[0]?.text.split("\n").slice(1).toSorted()).toEqual(lines.toSorted());
    expect(JSON.stringify(result)).not.toContain(INVALID_VALUE);
  });

  test("a violated custom rule is reported with its place, and with the value only where the author surely put it there", async () => {
    const result = await call(custom, { code: INVALID_VALUE });
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain(`: ${problem}. `);
    expect(JSON.stringify(result).includes(INVALID_VALUE)).toBe(problem.includes(INVALID_VALUE));
  });
});
