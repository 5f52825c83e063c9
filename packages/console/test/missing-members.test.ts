// An answer may lack what it can lack, and later versions may lack more: no page breaks, and none is blank. The made-up answers
// themselves are what the API states.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { CHROMIUM, IN_CHROMIUM, startChromium } from "@recourse/test-kit/chromium";
import { isNightly } from "@recourse/test-kit/runs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { SCENES, type Scene } from "../scenes/scenes.ts";
import { openStage, serveConsole, showScene } from "../scenes/stage.ts";
import * as world from "../scenes/world.ts";

/** The document of the API, as it is published. */
const DOCUMENT = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve("@recourse/gateway/openapi.json"), "utf8"),
) as { readonly components: { readonly schemas: Readonly<Record<string, Json>> } };
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ ...DOCUMENT, $id: "api" });

const listOf = (item: string): Json => ({
  type: "object",
  properties: { items: { items: schemaOf(item) } },
  required: ["items", "next"],
});
const schemaOf = (name: string): Json => ({ $ref: `api#/components/schemas/${name}` });

/** A cause by itself. Only the overview counts its callers. */
const { callers: _, ...CAUSE } = world.CLASSES[1] ?? {};

/** The answers that pages are made of, with their schemas and a scene that shows them. */
const ANSWERS = [
  { scene: "now", path: /^overview$/, schema: schemaOf("Overview"), answer: world.OVERVIEW },
  { scene: "incident", path: /^incidents\/[^/]+$/, schema: schemaOf("Incident"), answer: world.INCIDENT },
  { scene: "incident", path: /^explain\//, schema: schemaOf("Explanation"), answer: world.EXPLANATION },
  { scene: "cause", path: /^incident-classes\/[^/]+$/, schema: schemaOf("IncidentClass"), answer: CAUSE },
  { scene: "incidents", path: /^incidents$/, schema: listOf("Incident"), answer: world.pageOf(world.SIBLINGS) },
  { scene: "approval", path: /^approvals\/[^/]+$/, schema: schemaOf("Approval"), answer: world.APPROVALS[1] },
  { scene: "upstreams", path: /^upstreams$/, schema: listOf("Upstream"), answer: world.pageOf(world.UPSTREAMS) },
  { scene: "changes", path: /^changes$/, schema: listOf("Change"), answer: world.pageOf(world.CHANGES) },
  { scene: "keys", path: /^keys$/, schema: listOf("Key"), answer: world.pageOf(world.KEYS) },
] as const;

it.each(ANSWERS)("the made-up answer for $path is what the API states", ({ schema, answer }) => {
  const validate = ajv.compile(schema);
  validate(JSON.parse(JSON.stringify(answer)));
  expect(validate.errors ?? []).toEqual([]);
});

interface MissingCase {
  readonly name: string;
  readonly scene: Scene;
  /** The schema says that it may be missing. */
  readonly isOptional: boolean;
  /** Whether it is looked at by day. */
  readonly isByDay: boolean;
}

/** By day one of so many members of each answer, and the first. */
const BY_DAY_EVERY = 60;

const CASES = ANSWERS.flatMap(({ scene, path, schema, answer }): MissingCase[] => {
  const found = SCENES.find(({ name }) => name === scene);
  if (found === undefined || answer === undefined) throw new Error(`no scene ${scene}`);
  return memberPaths(answer, schema).map(({ keys, isOptional }, at) => ({
    name: `${scene} without ${keys.join(".")}`,
    isOptional,
    isByDay: at % BY_DAY_EVERY === 0,
    scene: { ...found, ready: "h1", answers: [[path, without(answer, keys)], ...(found.answers ?? [])] },
  }));
});
const TAKEN = CASES.filter(({ isByDay }) => isNightly || isByDay);

describe.skipIf(CHROMIUM === undefined)(`answers without a member${IN_CHROMIUM}`, () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serveConsole>>;
  let stage: Awaited<ReturnType<typeof openStage>>;
  beforeAll(async () => {
    browser = await startChromium();
    site = await serveConsole();
    stage = await openStage(browser, "desktop", "light");
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test.each(TAKEN)("$name", async ({ scene, isOptional }) => {
    const { page, wrong } = await showScene(stage, site.origin, scene);
    const text = await page.locator("main").innerText();
    // What the boundaries around the page and around its head say.
    const isBroken = (await page.getByText(/^(?:This|The head of the) page cannot be shown\./).count()) > 0;
    expect(text.length).toBeGreaterThan(20);
    expect(wrong.filter((line) => line.startsWith("exception"))).toEqual([]);
    if (isOptional) expect(isBroken).toBe(false);
  });
});

type Json = Readonly<Record<string, unknown>>;

/** The members of a value that can be left out, down to the first item of each list. */
function memberPaths(
  value: unknown,
  schema: unknown,
): { readonly keys: readonly string[]; readonly isOptional: boolean }[] {
  if (Array.isArray(value)) {
    const items = follow(schema as Json | undefined)?.["items"];
    return value.length === 0 ? [] : memberPaths(value[0], items).map((one) => ({ ...one, keys: ["0", ...one.keys] }));
  }
  if (typeof value !== "object" || value === null) return [];
  const known = formOf(schema, value);
  const required = (known?.["required"] ?? []) as readonly string[];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = (known?.["properties"] as Json | undefined)?.[key];
    const deeper = memberPaths(member, inner).map((one) => ({ ...one, keys: [key, ...one.keys] }));
    return [{ keys: [key], isOptional: known !== undefined && !required.includes(key) }, ...deeper];
  });
}

/** The schema behind a reference; of a union, the form that the value has. */
function formOf(given: unknown, value: object): Json | undefined {
  const schema = follow(given as Json | undefined);
  const forms = ((schema?.["anyOf"] as readonly Json[] | undefined) ?? [schema]).map(follow);
  return forms.find((form) => ((form?.["required"] ?? []) as readonly string[]).every((key) => key in value));
}

function follow(schema: Json | undefined): Json | undefined {
  const name = /\/schemas\/(\w+)$/.exec(String(schema?.["$ref"] ?? ""))?.[1];
  return name === undefined ? schema : DOCUMENT.components.schemas[name];
}

function without<T>(value: T, [key = "", ...rest]: readonly string[]): T {
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === key ? without(item, rest) : item)) as T;
  const { [key]: member, ...others } = value as Record<string, unknown>;
  return (rest.length === 0 ? others : { ...others, [key]: without(member, rest) }) as T;
}
