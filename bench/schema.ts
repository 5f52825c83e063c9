// Our JSON Schema checker beside Ajv and @cfworker/json-schema: speed on a typical tool, and what hostile input does.
// Run with `npm run bench -- schema`. Each hostile case runs in a process of its own, which ends after ten seconds.
import { spawnSync } from "node:child_process";
import { Validator } from "@cfworker/json-schema";
import { checkArguments } from "@recourse/core/schema";
import { Ajv2020 } from "ajv/dist/2020.js";

type Schema = Readonly<Record<string, unknown>>;
type Check = (args: unknown) => unknown;

const LIMIT_MS = 10_000;

/** Prepares a check; its result is what each package reports of failing arguments. */
const ENGINES: Readonly<Record<string, (schema: Schema) => Check>> = {
  recourse: (schema) => (args) => checkArguments(args, schema),
  ajv(schema) {
    const validate = new Ajv2020({ strict: false, validateSchema: false, ownProperties: true }).compile(schema);
    return (args) => validate(args) || validate.errors;
  },
  cfworker(schema) {
    // The package writes into the schema.
    const validator = new Validator(structuredClone(schema), "2020-12", true);
    return (args) => validator.validate(args);
  },
};

const count = (length: number) => Array.from({ length }, (_, index) => index);
const text = (rules: Schema = {}): Schema => ({ type: "string", ...rules });
const object = (properties: Schema, rules: Schema = {}): Schema => ({ type: "object", properties, ...rules });
const list = (items: Schema, rules: Schema = {}): Schema => ({ type: "array", items, ...rules });
const branch = (index: number) => object({ kind: text({ minLength: 3 + index }) }, { required: [`key${index}`] });

/** The schema and the arguments of each case. Those of a sound schema need only a hostile caller. */
const HOSTILE: Readonly<Record<string, () => readonly [schema: Schema, args: unknown]>> = {
  "sound schema: 20 000 objects that must differ": () => [
    object({ a: list({ type: "object" }, { uniqueItems: true }) }),
    { a: count(20_000).map((id) => ({ id, b: 1 })) },
  ],
  "sound schema: 200 000 numbers that must differ": () => [
    object({ a: list({ type: "integer" }, { uniqueItems: true }) }),
    { a: count(200_000) },
  ],
  "sound schema: 100 000 items, each fits none of 60 branches": () => [
    object({ a: list({ anyOf: count(60).map(branch) }) }),
    { a: count(100_000).map(() => ({ kind: "x" })) },
  ],
  "recursive schema, arguments 10 000 deep": () => [
    object({ a: { $ref: "#" } }),
    count(10_000).reduce<unknown>((inner) => ({ a: inner }), {}),
  ],
  "references in a ring": () => [
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    {},
  ],
  "a reference to nothing": () => [object({ a: { $ref: "#/$defs/gone" } }), { a: 1 }],
  "the pattern ^(a+)+$ and 41 characters": () => [
    object({ a: text({ pattern: "^(a+)+$" }) }),
    { a: `${"a".repeat(40)}!` },
  ],
  "an invalid pattern": () => [object({ a: text({ pattern: "([" }) }), { a: "x" }],
  "5 000 branches": () => [object({ a: { anyOf: count(5_000).map(branch) } }), { a: { kind: "x" } }],
  "50 000 properties": () => [
    object(Object.fromEntries(count(50_000).map((index) => [`key${index}`, text()]))),
    { key7: 1 },
  ],
};

const TOOL = object(
  {
    title: text({ minLength: 1, maxLength: 120 }),
    priority: { enum: ["low", "medium", "high"] },
    assignee: object({ id: text({ pattern: "^[a-z0-9]{8}$" }) }, { required: ["id"], additionalProperties: false }),
    tags: list(text({ maxLength: 20 }), { maxItems: 10, uniqueItems: true }),
    target: {
      oneOf: [
        object({ kind: { const: "page" }, url: text() }, { required: ["kind", "url"] }),
        object({ kind: { const: "issue" }, number: { type: "integer", minimum: 1 } }, { required: ["kind", "number"] }),
      ],
    },
  },
  { required: ["title", "priority"], additionalProperties: false },
);
const RIGHT = {
  title: "Write the report",
  priority: "high",
  assignee: { id: "abcd1234" },
  tags: ["a", "b"],
  target: { kind: "issue", number: 7 },
};
const WRONG = { ...RIGHT, priority: "hihg", assignee: { id: "x", name: "y" }, target: { kind: "isue" } };

/** The shortest of many rounds, which other work on the machine disturbs least. */
function microseconds(run: () => unknown, calls: number): string {
  const rounds = count(60).map(() => {
    const start = process.hrtime.bigint();
    for (let call = 0; call < calls; call++) run();
    return Number(process.hrtime.bigint() - start) / calls / 1_000;
  });
  return `${Math.min(...rounds).toFixed(1)} µs`;
}

/** Runs one case in this process: prints how it ended, and its processor time. */
function runCase(engine: string, name: string): void {
  const [schema, args] = HOSTILE[name]?.() ?? [{}, {}];
  const before = process.cpuUsage();
  let end = "ends";
  try {
    ENGINES[engine]?.(schema)(args);
  } catch (error) {
    end = `throws ${(error as Error).message.split("\n", 1)[0]?.slice(0, 40)}`;
  }
  const { user, system } = process.cpuUsage(before);
  console.log(`${end} (${Math.round((user + system) / 1_000)} ms)`);
}

function runInChild(engine: string, name: string): string {
  const args = [...process.execArgv, import.meta.filename, engine, name];
  const { status, stdout } = spawnSync(process.execPath, args, { timeout: LIMIT_MS, encoding: "utf8" });
  return status === 0 ? stdout.trim() : `did not end within ${LIMIT_MS / 1_000} s`;
}

const [, , engine, name] = process.argv;
if (engine !== undefined && name !== undefined) runCase(engine, name);
else {
  for (const [engine, prepare] of Object.entries(ENGINES)) {
    const check = prepare(TOOL);
    const [once, right, wrong] = [
      microseconds(() => prepare(TOOL), 5),
      microseconds(() => check(RIGHT), 100),
      microseconds(() => check(WRONG), 100),
    ];
    console.log(`${engine}: prepare ${once}, right arguments ${right}, wrong arguments ${wrong}`);
  }
  for (const name of Object.keys(HOSTILE)) {
    console.log(`\n${name}`);
    for (const engine of Object.keys(ENGINES)) console.log(`  ${engine.padEnd(9)} ${runInChild(engine, name)}`);
  }
}
