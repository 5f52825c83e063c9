import { parseArgs } from "node:util";
import { expect, test } from "vitest";
import { PEER_OPTIONS, readPeerOptions } from "./options.ts";

const read = (...args: string[]) =>
  readPeerOptions(parseArgs({ args, options: PEER_OPTIONS }).values, { "lost-exit": {}, "not-json": {} });

test("a command line becomes options", () => {
  expect(read("--next", "lost-exit", "--next", "ok", "--tool", "echo=not-json", "--delay-ms", "5")).toEqual({
    ok: true,
    options: {
      steps: ["lost-exit", "ok"],
      tools: { echo: "not-json" },
      dialect: "mcp",
      idempotency: false,
      delayMs: 5,
    },
  });
});

test.each([
  [["--next", "lost-exti"], 'There is no misbehaviour "lost-exti"; did you mean "lost-exit"?'],
  [["--tool", "echo"], "--tool needs a tool and a misbehaviour, such as charge=lost-silence."],
  [["--tool", "echo=later"], 'There is no misbehaviour "later".'],
  [["--dialect", "latin"], "--dialect is one of mcp, erlmcp."],
  [["--delay-ms", "soon"], "--delay-ms is a number of milliseconds from 0 to 86400000."],
  [["--delay-ms=-1"], "--delay-ms is a number of milliseconds from 0 to 86400000."],
])("%j is a mistake with a sentence", (args, problem) => {
  expect(read(...args)).toEqual({ ok: false, problem });
});
