import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";

// What an author reads when a definition does not compile: one error of one line, which says what to do.

const PATH = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const NAME_RULE = "Use a lower-case letter, then lower-case letters, digits or _.";

const MISTAKES: readonly (readonly [code: string, message: string])[] = [
  [
    `defineReasons("shop", { no_order: { kind: "not_found", text: "No order {id}." } });`,
    "No slot for {id}: add it to slots, or correct its name.",
  ],
  [
    `defineReasons("shop", { no_order: { kind: "not_found", text: "No order {idd}.", slots: { id: slot.uuid } } });`,
    "No slot for {idd}: add it to slots, or correct its name.",
  ],
  [
    `defineReason("shop/no_order", { kind: "not_found", text: "No order[ {idd}].", slots: { id: slot.uuid } });`,
    "No slot for {idd}: add it to slots, or correct its name.",
  ],
  [
    `defineReasons("shop", { no_order: { kind: "not_found", text: "No {id}.", slots: { id: slot.optional(slot.uuid) } } });`,
    "{id} may be missing: put the part of the text that needs it into [brackets].",
  ],
  [
    `defineReasons("shop", { no_order: { kind: "not_found", text: "No order.", slots: { "order-id": slot.uuid } } });`,
    "The name order-id is not valid: use a letter, then letters, digits or _.",
  ],
  [
    `defineReasons("shop", { no_order: { kind: "conflict", text: "Paid.", effect: "applied" } });`,
    "Move effect into details: { effect }.",
  ],
  [
    `defineReason("shop/no_order", { kind: "conflict", text: "Paid.", recourse: [{ do: "stop" }] });`,
    "Move recourse into details: { recourse }.",
  ],
  [
    `defineReasons("my-app", { no_order: { kind: "not_found", text: "No." } });`,
    `The domain my-app is not valid. ${NAME_RULE}`,
  ],
  [
    `defineReasons("Orders", { no_order: { kind: "not_found", text: "No." } });`,
    `The domain Orders is not valid. ${NAME_RULE}`,
  ],
  [
    `defineReasons("shop", { noOrder: { kind: "not_found", text: "No." } });`,
    `The name noOrder is not valid. ${NAME_RULE}`,
  ],
  [
    `defineReason("my-app/no_order", { kind: "not_found", text: "No." });`,
    `The domain my-app is not valid. ${NAME_RULE}`,
  ],
  [`defineReason("shop/noOrder", { kind: "not_found", text: "No." });`, `The name noOrder is not valid. ${NAME_RULE}`],
  [`defineReason("no_order", { kind: "not_found", text: "No." });`, "The id of a reason is domain/name."],
];
const HEADER = `import { defineReason, defineReasons, slot } from "@recourse/faults";`;

let errors: string[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "recourse-types-"));
  const compilerOptions = {
    ...{ target: "es2024", lib: ["es2024", "dom"], module: "nodenext", strict: true, noEmit: true, types: [] },
    ...{ exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, skipLibCheck: true },
    paths: { "@recourse/faults": [PATH("../index.ts")] },
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["mistakes.mts"] }));
  await writeFile(join(folder, "mistakes.mts"), [HEADER, ...MISTAKES.map(([code]) => code)].join("\n"));
  const tsc = PATH("../../../../node_modules/typescript/bin/tsc");
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, "-p", folder, "--pretty", "false"], (_, stdout) => resolve(stdout));
  });
  errors = output.trim().split("\n");
  await rm(folder, { recursive: true });
});

test.each(MISTAKES.map(([code, message], at) => [code, message, at + 2] as const))("%s", (_, message, line) => {
  const found = errors.filter((error) => error.includes(`mistakes.mts(${line},`));
  expect(found).toEqual([expect.stringContaining(`type '"${message}"'.`)]);
});

test("no error has more than one line", () => {
  expect(errors).toHaveLength(MISTAKES.length);
});
