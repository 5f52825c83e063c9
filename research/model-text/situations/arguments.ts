import { fail } from "@recourse/core";
import { ask, call, GOOD, throwing } from "../shop.ts";
import { group } from "../situation.ts";

const order = (args: Record<string, unknown>) => () => call("create_order", args);

export const ARGUMENTS = group("arguments", [
  { id: "missing", what: "a required argument is missing", run: order({ customer: "ann@example.com", quantity: 2 }) },
  { id: "type", what: "a text instead of a number", run: order({ ...GOOD, quantity: "two" }) },
  { id: "choice", what: "a value that is not among the choices", run: order({ ...GOOD, size: "larg" }) },
  { id: "unknown-key", what: "an argument whose name is misspelt", run: order({ ...GOOD, notes: "gift" }) },
  { id: "range", what: "a number that is too large", run: order({ ...GOOD, quantity: 100 }) },
  { id: "format", what: "a text that is not an e-mail address", run: order({ ...GOOD, customer: "Ann" }) },
  { id: "length", what: "a text that is too long", run: order({ ...GOOD, note: "x".repeat(21) }) },
  { id: "nested", what: "a wrong type inside a list", run: order({ ...GOOD, items: [{ sku: "LAMP-1", count: "1" }] }) },
  { id: "several", what: "three arguments are wrong", run: order({ customer: "Ann", quantity: "2", size: "huge" }) },
  {
    id: "many",
    what: "five arguments are wrong",
    run: order({ customer: "Ann", quantity: "2", size: "huge", note: "x".repeat(30), items: [{ count: 1 }] }),
  },
  { id: "none-given", what: "no arguments at all", run: order({}) },
  {
    id: "not-an-object",
    what: "the arguments are a text instead of an object",
    run: () => ask({}, (client) => client.callTool({ name: "create_order", arguments: "lamp" as never })),
  },
  {
    id: "prompt-argument",
    what: "a prompt without its argument",
    run: () => ask({}, (client) => client.getPrompt({ name: "monthly_report" })),
  },
  {
    id: "authored",
    what: "the author refuses an argument in their own words",
    run: () => throwing(fail.invalid_input`Start ${"2026-05-02"} is after end ${"2026-05-01"}.`),
  },
]);
