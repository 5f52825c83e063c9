import { expect, test } from "vitest";
import type { Ask } from "./message.ts";
import { createScript, type ScriptOptions, type Step } from "./script.ts";

type Name = "bang" | "fizz";
const isName = (name: unknown): name is Name => name === "bang" || name === "fizz";
const scriptOf = (options: ScriptOptions<Name> = {}) => createScript<Name>(isName, options);
const ask = (name: string, meta = {}, method = "tools/call"): Ask => ({ id: 1, method, params: { name }, meta });
const BANG = { do: "bang", ms: undefined, commit: false };

test("steps are taken one by one, by tool calls alone unless told", () => {
  const script = scriptOf({ script: ["bang", "ok"] });
  script.next({ do: "fizz", ms: 5, commit: true });
  expect(script.take(ask("a", {}, "tools/list"))).toBeUndefined();
  expect([1, 2, 3, 4].map(() => script.take(ask("a")))).toEqual([
    BANG,
    undefined,
    { do: "fizz", ms: 5, commit: true },
    undefined,
  ]);
});

test("a step may wait for another method, or for any", () => {
  const script = scriptOf();
  script.next("bang", { on: "ping" });
  script.next("fizz", { on: "*" });
  expect(script.take(ask("a"))?.do).toBe("fizz");
  expect(script.take(ask("a"))).toBeUndefined();
  expect(script.take(ask("a", {}, "ping"))?.do).toBe("bang");
});

test("a request's own wish comes first, then the queue, then the tool, then the chooser", () => {
  const script = scriptOf({ script: ["ok"], tools: { a: "bang" }, choose: () => "fizz" });
  expect(script.take(ask("a", { "recourse/misbehave": "fizz" }))?.do).toBe("fizz");
  expect(script.take(ask("a", {}), "fizz")?.do).toBe("fizz");
  expect(script.take(ask("a"))).toBeUndefined();
  expect(script.take(ask("a"))?.do).toBe("bang");
  expect(script.take(ask("constructor"))?.do).toBe("fizz");
  expect(script.take(ask("a", {}, "ping"))?.do).toBe("fizz");
});

test("a name that does not exist is told at once", () => {
  const wrong = "bamg" as Step<Name>;
  expect(() => scriptOf({ script: [wrong] })).toThrow('there is no misbehaviour "bamg"');
  expect(() => scriptOf({ tools: { a: wrong } })).toThrow(TypeError);
  expect(() => scriptOf().next(wrong)).toThrow(TypeError);
  expect(() => scriptOf().take(ask("a", { "recourse/misbehave": "bamg" }))).toThrow(TypeError);
});
