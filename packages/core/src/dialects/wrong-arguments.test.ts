import { expect, it } from "vitest";
import { invalid_arguments } from "../reasons/library/tool.ts";
import { render } from "../render/render.ts";
import { closient, erlmcp, http, mcp, onx, platica, qaqnuz } from "./index.ts";
import { wireSentence } from "./sentence.ts";

const issues = [
  { pointer: "/quantity", rule: "type", expected: "an integer" },
  { pointer: "/items/0/sku", rule: "required" },
] as const;
const fault = invalid_arguments.fault({ tool: "create_order" }, { issues });
const SENTENCE = 'Wrong arguments for the tool "create_order": quantity must be an integer; items[0].sku is required.';

it.each([
  ["mcp", mcp.encode(fault), `${SENTENCE} Correct the arguments and call again.`],
  ["closient", closient.encode(fault), `${SENTENCE} Correct the arguments and call again.`],
  ["closient, over REST", closient.encode(fault, { form: "reply" }), SENTENCE],
  ["onx", onx.encode(fault), `${SENTENCE} Correct the arguments and call again.`],
  ["erlmcp", erlmcp.encode(fault), "quantity must be an integer. items[0].sku is required"],
  ["qaqnuz", qaqnuz.encode(fault), SENTENCE],
  ["platica", platica.encode(fault), "quantity: Invalid type: expected an integer.\nitems.0.sku: Required"],
  ["http", http.encode(fault), SENTENCE],
])("%s names the arguments and their rules in a text", (_, wire, text) => {
  expect(stringsIn(wire)).toContain(text);
});

it("names as many arguments as fit, and counts the rest", () => {
  const many = Array.from({ length: 5 }, (__, index) => ({ pointer: `/a${index}`, rule: "required" }) as const);
  expect(wireSentence(invalid_arguments.fault({}, { issues: many }))).toBe(
    "Wrong arguments: a0 is required; a1 is required; a2 is required; and 2 more.",
  );
});

it("says what the author of a check wrote, in every dialect", () => {
  const said = [{ pointer: "/iban", rule: "format", message: "must be a German IBAN" }] as const;
  const one = invalid_arguments.fault({ tool: "pay" }, { issues: said });
  const sentence = 'Wrong arguments for the tool "pay": iban: must be a German IBAN.';
  for (const [dialect, text] of [
    [mcp, `${sentence} Correct the arguments and call again.`],
    [closient, `${sentence} Correct the arguments and call again.`],
    [onx, `${sentence} Correct the arguments and call again.`],
    [erlmcp, "iban: must be a German IBAN"],
    [qaqnuz, sentence],
    [platica, "iban: must be a German IBAN"],
    [http, sentence],
  ] as const)
    expect(stringsIn(dialect.encode(one)), dialect.name).toContain(text);
});

it("never speaks of an effect that is only possible, in any dialect, to any reader", () => {
  const doubt = invalid_arguments.fault({ tool: "pay" }, { issues, effect: "possible" });
  const wires = [mcp, closient, onx, erlmcp, qaqnuz, platica, http].map((dialect) => dialect.encode(doubt));
  const texts = [...wires.flatMap(stringsIn), render(doubt, { for: "model" }), render(doubt, { for: "person" })];
  for (const text of texts) expect(String(text)).not.toMatch(/taken effect|happened|current state/);
});

function stringsIn(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [value];
}
