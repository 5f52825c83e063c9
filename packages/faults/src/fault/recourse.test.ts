import { describe, expect, it } from "vitest";
import type { Issue, Recourse, RetryAdvice } from "./fault.ts";
import { EFFECTS, type Kind } from "./kinds.ts";
import { deriveRecourse, permittedMoves } from "./recourse.ts";

const moves = (recourse: readonly Recourse[]) => recourse.map((move) => move.do).join(" ");

const YES: RetryAdvice = { allowed: true };
const NO: RetryAdvice = { allowed: false };

// Repeating is harmless: without a word, the peer says yes, the peer says no. It may do harm: the same three.
const TABLE: Readonly<Record<Kind, readonly [string, string, string, string, string, string]>> = {
  invalid_input: ["fix_input", "retry fix_input", "fix_input", "fix_input", "fix_input", "fix_input"],
  invalid_request: ["stop", "retry stop", "stop", "stop", "refresh", "stop"],
  unauthenticated: [
    "authenticate",
    "retry authenticate",
    "authenticate",
    "authenticate",
    "authenticate",
    "authenticate",
  ],
  forbidden: ["ask_user", "retry ask_user", "ask_user", "ask_user", "ask_user", "ask_user"],
  approval_required: ["ask_user", "retry ask_user", "ask_user", "ask_user", "ask_user", "ask_user"],
  rate_limited: ["retry", "retry", "stop", "refresh", "refresh", "refresh"],
  overloaded: ["retry", "retry", "stop", "refresh", "refresh", "refresh"],
  timeout: ["retry", "retry", "stop", "refresh", "refresh", "refresh"],
  unavailable: ["retry", "retry", "stop", "refresh", "refresh", "refresh"],
  upstream_failed: ["retry", "retry", "stop", "refresh", "refresh", "refresh"],
  not_found: [
    "choose_another",
    "retry choose_another",
    "choose_another",
    "choose_another",
    "choose_another",
    "choose_another",
  ],
  conflict: ["refresh", "retry refresh", "refresh", "refresh", "refresh", "refresh"],
  precondition_failed: ["do_first", "retry do_first", "do_first", "do_first", "do_first", "do_first"],
  unsupported: [
    "choose_another",
    "retry choose_another",
    "choose_another",
    "choose_another",
    "choose_another",
    "choose_another",
  ],
  quota_exhausted: ["ask_user", "retry ask_user", "ask_user", "ask_user", "ask_user", "ask_user"],
  cancelled: ["stop", "retry stop", "stop", "stop", "refresh", "stop"],
  internal: ["stop", "retry stop", "stop", "stop", "refresh", "stop"],
  unknown: ["refresh", "retry refresh", "refresh", "refresh", "refresh", "refresh"],
};

describe("deriveRecourse", () => {
  describe.each(Object.entries(TABLE))("%s", (name, [silent, yes, no, risky, riskyYes, riskyNo]) => {
    const kind = name as Kind;
    const situations = EFFECTS.flatMap((effect) =>
      [undefined, false, true].map((repeatable) => ({
        effect,
        repeatable,
        harmless: effect === "none" || repeatable === true,
      })),
    );
    it.each(situations)("with effect $effect, repeatable $repeatable", ({ effect, repeatable, harmless }) => {
      const facts = { kind, effect, repeatable };
      expect(moves(deriveRecourse(facts))).toBe(harmless ? silent : risky);
      expect(moves(deriveRecourse({ ...facts, retry: YES }))).toBe(harmless ? yes : riskyYes);
      expect(moves(deriveRecourse({ ...facts, retry: NO }))).toBe(harmless ? no : riskyNo);
    });
  });

  it("takes the wait from the peer, or else from the contract", () => {
    const facts = { kind: "rate_limited", effect: "none" } as const;
    expect(deriveRecourse({ ...facts, afterMs: 5 })).toEqual([{ do: "retry", afterMs: 5 }]);
    expect(deriveRecourse({ ...facts, afterMs: 5, retry: { allowed: true, afterMs: 7 } })).toEqual([
      { do: "retry", afterMs: 7 },
    ]);
    expect(deriveRecourse({ ...facts, afterMs: 5, retry: { allowed: true, afterMs: 0 } })).toEqual([
      { do: "retry", afterMs: 0 },
    ]);
    expect(deriveRecourse({ ...facts, afterMs: 5, retry: YES })).toEqual([{ do: "retry", afterMs: 5 }]);
    expect(deriveRecourse(facts)).toStrictEqual([{ do: "retry" }]);
  });

  it.each(["timeout", "internal"] as const)(
    "keeps the wait of the contract where %s has to be checked first",
    (kind) => {
      const facts = { kind, effect: "possible", afterMs: 5 } as const;
      expect(deriveRecourse({ ...facts, retry: YES })).toEqual([{ do: "refresh", afterMs: 5 }]);
      expect(deriveRecourse({ ...facts, retry: { allowed: true, afterMs: 7 } })).toEqual([{ do: "refresh" }]);
      expect(deriveRecourse({ ...facts, retry: NO })).toEqual([{ do: kind === "timeout" ? "refresh" : "stop" }]);
    },
  );

  it("gives a wait to no other move", () => {
    const waits = { afterMs: 5, retry: { allowed: true, afterMs: 7 } };
    expect(deriveRecourse({ kind: "internal", effect: "possible", afterMs: 5 })).toEqual([{ do: "stop" }]);
    expect(deriveRecourse({ kind: "conflict", effect: "possible", afterMs: 5 })).toEqual([{ do: "refresh" }]);
    expect(deriveRecourse({ kind: "conflict", effect: "none", ...waits })).toEqual([
      { do: "retry", afterMs: 7 },
      { do: "refresh" },
    ]);
  });

  const issuesAt = (...pointers: string[]): Issue[] => pointers.map((pointer) => ({ pointer, rule: "required" }));

  it("names each field once, in the order of the issues", () => {
    const issues = issuesAt("/b", "/a", "/b");
    expect(deriveRecourse({ kind: "invalid_input", effect: "none", issues })).toEqual([
      { do: "fix_input", fields: ["/b", "/a"] },
    ]);
  });

  it("names at most ten fields", () => {
    const pointers = Array.from({ length: 11 }, (_, index) => `/f${index}`);
    const [move] = deriveRecourse({ kind: "invalid_input", effect: "none", issues: issuesAt(...pointers) });
    expect(move.fields).toEqual(pointers.slice(0, 10));
  });

  it("names no fields without issues, nor for another move", () => {
    expect(deriveRecourse({ kind: "invalid_input", effect: "none", issues: [] })).toEqual([{ do: "fix_input" }]);
    expect(deriveRecourse({ kind: "conflict", effect: "none", issues: issuesAt("/a") })).toEqual([{ do: "refresh" }]);
  });

  it("freezes each move and its fields", () => {
    const [fix] = deriveRecourse({ kind: "invalid_input", effect: "none", issues: issuesAt("/a") });
    const [retry, refresh] = deriveRecourse({ kind: "conflict", effect: "none", retry: YES });
    expect([fix, fix.fields, retry, refresh].map((value) => Object.isFrozen(value))).toEqual([true, true, true, true]);
  });
});

describe("permittedMoves", () => {
  it("keeps the wait of a retry that is not safe", () => {
    const facts = { kind: "timeout", effect: "possible" } as const;
    expect(permittedMoves([{ do: "retry", afterMs: 3 }], facts)).toEqual([{ do: "refresh", afterMs: 3 }]);
  });

  const chosen: Recourse[] = [{ do: "retry", afterMs: 3 }, { do: "do_first", tool: "login" }, { do: "stop" }];

  it.each([
    ["none", undefined],
    ["none", false],
    ["possible", true],
    ["applied", true],
  ] as const)("keeps the author's moves if a second call is safe (%s, %s)", (effect, repeatable) => {
    expect(permittedMoves(chosen, { kind: "conflict", effect, repeatable })).toEqual(chosen);
  });

  it.each([
    ["possible", undefined],
    ["possible", false],
    ["applied", undefined],
    ["applied", false],
  ] as const)("removes retry if a second call is not safe (%s, %s)", (effect, repeatable) => {
    expect(permittedMoves(chosen, { kind: "conflict", effect, repeatable })).toEqual(chosen.slice(1));
  });

  it("removes retry even if the peer allows it", () => {
    expect(moves(permittedMoves(chosen, { kind: "conflict", effect: "possible", retry: YES }))).toBe("do_first stop");
  });

  it("removes retry if the peer forbids it", () => {
    expect(moves(permittedMoves(chosen, { kind: "conflict", effect: "none", retry: NO }))).toBe("do_first stop");
    expect(moves(permittedMoves([{ do: "retry" }], { kind: "overloaded", effect: "none", retry: NO }))).toBe("stop");
  });

  it("falls back on the derived moves when none is left", () => {
    expect(moves(permittedMoves([{ do: "retry" }], { kind: "timeout", effect: "applied" }))).toBe("refresh");
    expect(moves(permittedMoves([], { kind: "not_found", effect: "none" }))).toBe("choose_another");
  });

  it("keeps at most three, counted after removing", () => {
    const four: Recourse[] = [{ do: "retry" }, { do: "refresh" }, { do: "ask_user" }, { do: "stop" }];
    expect(moves(permittedMoves(four, { kind: "conflict", effect: "none" }))).toBe("retry refresh ask_user");
    expect(moves(permittedMoves(four, { kind: "conflict", effect: "possible" }))).toBe("refresh ask_user stop");
  });
});
