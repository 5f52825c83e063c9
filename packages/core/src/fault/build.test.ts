import { describe, expect, it } from "vitest";
import {
  type Authored,
  buildFault,
  cutCauses,
  deriveRecourse,
  type FaultDetails,
  type FaultParts,
  permittedMoves,
} from "./build.ts";
import type { Fault, Issue, Recourse, RetryAdvice } from "./fault.ts";
import { EFFECTS, KINDS, type Kind } from "./kinds.ts";

const parts = (kind: Kind, more: Partial<FaultParts> = {}): FaultParts => ({
  kind,
  reason: `test/${kind}`,
  message: "It failed." as Authored,
  ...more,
});

describe("buildFault", () => {
  it.each(Object.keys(KINDS) as Kind[])("fills in what follows from %s", (kind) => {
    const { class: group, effect } = KINDS[kind];
    const fault = buildFault(parts(kind));
    expect(fault).toStrictEqual({
      v: 1,
      kind,
      class: group,
      reason: `test/${kind}`,
      message: "It failed.",
      recourse: fault.recourse,
      effect,
      origin: { layer: "server" },
      basis: "stated",
    });
    expect(fault.recourse).toHaveLength(1);
  });

  const details = {
    effect: "applied",
    retry: { allowed: false, afterMs: 1 },
    issues: [{ pointer: "/a", rule: "type" }],
    limits: [{ policy: "burst" }],
    recourse: [{ do: "do_first", tool: "login" }],
    quote: { text: "It broke", from: "peer" },
    origin: { layer: "gateway", name: "edge" },
    basis: "guessed",
    tried: { attempts: 3, elapsedMs: 20, stopped: "attempts" },
  } as const satisfies FaultDetails;

  it("keeps every detail, in one order", () => {
    const cause = buildFault(parts("timeout"));
    const fault = buildFault(parts("conflict", { ...details, params: { a: 1 }, cause }));
    expect(fault).toStrictEqual({
      ...{ v: 1, kind: "conflict", class: "terminal", reason: "test/conflict", message: "It failed." },
      ...details,
      params: { a: 1 },
      cause,
    });
    expect(Object.keys(fault).join(" ")).toBe(
      "v kind class reason message params quote recourse effect retry issues limits origin basis tried cause",
    );
  });

  it("drops details that do not fit", () => {
    const wrong = {
      retry: { allowed: 1 },
      issues: "x",
      limits: [{}],
      recourse: [{ do: "pray" }],
      quote: { text: "x" },
      origin: { layer: "moon" },
      tried: {},
      afterMs: "5",
    } as unknown as FaultDetails;
    expect(buildFault(parts("overloaded", wrong))).toStrictEqual(buildFault(parts("overloaded")));
  });

  it("reads an unknown value as the less certain one", () => {
    const vague = { effect: "partly", basis: "dreamt" } as unknown as FaultDetails;
    expect(buildFault(parts("conflict", vague))).toMatchObject({ effect: "possible", basis: "guessed" });
  });

  it("lets an author choose moves, but not repeat what may have had an effect", () => {
    const recourse = [{ do: "retry" }, { do: "ask_user" }] as const;
    expect(buildFault(parts("conflict", { recourse })).recourse).toEqual(recourse);
    expect(buildFault(parts("conflict", { recourse, effect: "possible" })).recourse).toEqual([{ do: "ask_user" }]);
    expect(buildFault(parts("conflict", { recourse, effect: "possible", repeatable: true })).recourse).toEqual(
      recourse,
    );
  });

  it("does not apply rules of allowed groups", () => {
    const quote = { text: "see the file /srv/data/report.pdf there first", from: "peer" } as const;
    expect(buildFault(parts("conflict", { quote })).quote?.text).toBe("see the file [removed] there first");
    expect(buildFault(parts("conflict", { quote, allow: ["path"] })).quote).toEqual(quote);
  });

  it("uses the general message of the kind if the message is empty", () => {
    expect(buildFault(parts("conflict", { message: "" as Authored })).message).toBe(
      "The call conflicts with the current state.",
    );
  });
});

describe("cutCauses", () => {
  const chain = (length: number): Fault => {
    const fault = buildFault({ ...parts("internal"), reason: `test/n${length}` });
    return length === 1 ? fault : Object.freeze({ ...fault, cause: chain(length - 1) });
  };
  const depth = (fault: Fault | undefined): number => (fault === undefined ? 0 : 1 + depth(fault.cause));

  it.each([
    [1, 3, 1],
    [3, 3, 3],
    [4, 3, 3],
    [9, 3, 3],
    [2, 1, 1],
    [2, 0, 0],
    [1, -1, 0],
  ])("cuts a chain of %d at %d to %d", (length, max, expected) => {
    expect(depth(cutCauses(chain(length), max))).toBe(expected);
  });

  it("leaves three causes below a built fault", () => {
    expect(depth(buildFault(parts("internal", { cause: chain(5) })))).toBe(4);
    expect(depth(buildFault(parts("internal", { cause: chain(2) })))).toBe(3);
  });
});

const moves = (recourse: readonly Recourse[]) => recourse.map((move) => move.do).join(" ");

const YES: RetryAdvice = { allowed: true };
const NO: RetryAdvice = { allowed: false };

// Repeating is harmless: without a word, the peer says yes, the peer says no. It may do harm: the same three.
const TABLE: Readonly<Record<Kind, string>> = {
  invalid_input: "fix_input | retry fix_input | fix_input | fix_input | fix_input | fix_input",
  invalid_request: "stop | retry stop | stop | stop | refresh | stop",
  unauthenticated: "authenticate | retry authenticate | authenticate | authenticate | authenticate | authenticate",
  forbidden: "ask_user | retry ask_user | ask_user | ask_user | ask_user | ask_user",
  approval_required: "ask_user | retry ask_user | ask_user | ask_user | ask_user | ask_user",
  rate_limited: "retry | retry | stop | refresh | refresh | refresh",
  overloaded: "retry | retry | stop | refresh | refresh | refresh",
  timeout: "retry | retry | stop | refresh | refresh | refresh",
  unavailable: "retry | retry | stop | refresh | refresh | refresh",
  upstream_failed: "retry | retry | stop | refresh | refresh | refresh",
  not_found:
    "choose_another | retry choose_another | choose_another | choose_another | choose_another | choose_another",
  conflict: "refresh | retry refresh | refresh | refresh | refresh | refresh",
  precondition_failed: "do_first | retry do_first | do_first | do_first | do_first | do_first",
  unsupported:
    "choose_another | retry choose_another | choose_another | choose_another | choose_another | choose_another",
  quota_exhausted: "ask_user | retry ask_user | ask_user | ask_user | ask_user | ask_user",
  cancelled: "stop | retry stop | stop | stop | refresh | stop",
  internal: "stop | retry stop | stop | stop | refresh | stop",
  unknown: "refresh | retry refresh | refresh | refresh | refresh | refresh",
};

describe("deriveRecourse", () => {
  describe.each(Object.entries(TABLE))("%s", (name, row) => {
    const kind = name as Kind;
    const [silent, yes, no, risky, riskyYes, riskyNo] = row.split(" | ");
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

  it("names no fields without issues, nor for another move", () => {
    expect(deriveRecourse({ kind: "invalid_input", effect: "none", issues: [] })).toEqual([{ do: "fix_input" }]);
    expect(deriveRecourse({ kind: "conflict", effect: "none", issues: issuesAt("/a") })).toEqual([{ do: "refresh" }]);
  });
});

describe("permittedMoves", () => {
  it("keeps the wait of a retry that is not safe", () => {
    const facts = { kind: "timeout", effect: "possible" } as const;
    expect(permittedMoves([{ do: "retry", afterMs: 3 }], facts)).toEqual([{ do: "refresh", afterMs: 3 }]);
  });

  const chosen: Recourse[] = [{ do: "retry", afterMs: 3 }, { do: "do_first", tool: "login" }, { do: "stop" }];

  it.each([
    ["possible", undefined],
    ["possible", false],
    ["applied", undefined],
    ["applied", false],
  ] as const)("removes retry if a second call is not safe (%s, %s)", (effect, repeatable) => {
    expect(permittedMoves(chosen, { kind: "conflict", effect, repeatable })).toEqual(chosen.slice(1));
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
