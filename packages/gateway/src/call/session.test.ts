import { expect, it } from "vitest";
import { fromFlags, NO_ABILITIES } from "./abilities.ts";
import { upstreamSessionKey } from "./session.ts";

it("no two callers, sessions or sets of abilities share sessions of upstreams", () => {
  const callers = [{ id: "a" }, { id: "b" }, undefined];
  const sessions = [{ nonce: "AAAAAAAAAAAAAAAA" }, { nonce: "BBBBBBBBBBBBBBBB" }];
  const abilities = [NO_ABILITIES, fromFlags("f"), fromFlags("fs"), fromFlags("r")];
  const keys = callers.flatMap((caller) => [
    ...sessions.map((session) => upstreamSessionKey({ caller, session, abilities: NO_ABILITIES })),
    ...abilities.map((able) => upstreamSessionKey({ caller, session: undefined, abilities: able })),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
});

it("calls without a session share one where their caller can be asked the same", () => {
  const key = (flags: string) =>
    upstreamSessionKey({ caller: { id: "a" }, session: undefined, abilities: fromFlags(flags) });
  expect(key("fs")).toBe(key("sf"));
  expect(key("")).toBe(upstreamSessionKey({ caller: { id: "a" }, session: undefined, abilities: NO_ABILITIES }));
});
