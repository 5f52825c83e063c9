import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stampFault } from "../fault/amend.ts";
import { AUTHORS, type Fault } from "../fault/fault.ts";
import { EFFECTS, KINDS, type Kind, MOVES, type StatedKind } from "../fault/kinds.ts";
import { readFault } from "../fault/read.ts";
import { fail } from "../reasons/fail.ts";
import { LIBRARY_REASONS, type LibraryReason } from "../reasons/library/by-id.ts";
import { precondition_failed, unrecognised } from "../reasons/library/core.ts";
import { invalid_arguments } from "../reasons/library/tool.ts";
import { type Audience, render } from "./render.ts";

const INCIDENT = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const of = (kind: Kind): Fault =>
  kind === "unknown" ? unrecognised.fault() : fail[kind as StatedKind]`The milk of ${"Berta"} is gone.`.fault;
const table = (reader: Audience) =>
  (Object.keys(KINDS) as Kind[]).map((kind) => render(of(kind), { for: reader })).join("\n");
const model = (fault: Fault) => render(fault, { for: "model" });
const person = (fault: Fault) => render(fault, { for: "person" });
const log = (fault: Fault) => render(fault, { for: "log" });

describe("every kind", () => {
  it("for a model", () => {
    expect(table("model")).toMatchInlineSnapshot(`
      "The milk of "Berta" is gone. Correct the arguments and call again.
      The milk of "Berta" is gone. Do not repeat this call.
      The milk of "Berta" is gone. Ask the user to sign in again, then repeat this call.
      The milk of "Berta" is gone. Ask the user what to do; the same call will fail again.
      The milk of "Berta" is gone. Ask the user to approve this call.
      The milk of "Berta" is gone. Repeat this call in a moment.
      The milk of "Berta" is gone. Repeat this call in a moment.
      The milk of "Berta" is gone. The call may have taken effect. Check the current state before repeating the call.
      The milk of "Berta" is gone. The call may have taken effect. Check the current state before repeating the call.
      The milk of "Berta" is gone. The call may have taken effect. Check the current state before repeating the call.
      The milk of "Berta" is gone. Call again with a different name or id.
      The milk of "Berta" is gone. Check the current state, then decide again.
      The milk of "Berta" is gone. Resolve that first, then call again.
      The milk of "Berta" is gone. Use another tool or operation.
      The milk of "Berta" is gone. Ask the user what to do; the same call will fail again.
      The milk of "Berta" is gone. The call may have taken effect, so do not repeat it.
      The milk of "Berta" is gone. The call may have taken effect, so do not repeat it.
      The call failed for an unknown reason. The call may have taken effect. Check the current state before repeating the call."
    `);
  });

  it("for a person", () => {
    expect(table("person")).toMatchInlineSnapshot(`
      "The milk of "Berta" is gone. Please check the input.
      The milk of "Berta" is gone. Please contact the operator if this goes on.
      The milk of "Berta" is gone. Please sign in again.
      The milk of "Berta" is gone. This needs your decision.
      The milk of "Berta" is gone. This needs your decision.
      The milk of "Berta" is gone. Please try again in a moment.
      The milk of "Berta" is gone. Please try again in a moment.
      The milk of "Berta" is gone. The action may have happened already. Please look at the current state before you try again.
      The milk of "Berta" is gone. The action may have happened already. Please look at the current state before you try again.
      The milk of "Berta" is gone. The action may have happened already. Please look at the current state before you try again.
      The milk of "Berta" is gone. Please choose something else.
      The milk of "Berta" is gone. Please look at the current state before you try again.
      The milk of "Berta" is gone. Please take care of that first, then try again.
      The milk of "Berta" is gone. Please choose something else.
      The milk of "Berta" is gone. This needs your decision.
      The milk of "Berta" is gone. The action may have happened already. Please contact the operator if this goes on.
      The milk of "Berta" is gone. The action may have happened already. Please contact the operator if this goes on.
      The call failed for an unknown reason. The action may have happened already. Please look at the current state before you try again."
    `);
  });

  it("for a log", () => {
    expect(table("log")).toMatchInlineSnapshot(`
      "kind=invalid_input class=validation reason=adhoc/invalid_input effect=none next=fix_input origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=invalid_request class=validation reason=adhoc/invalid_request effect=none next=stop origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=unauthenticated class=permission reason=adhoc/unauthenticated effect=none next=authenticate origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=forbidden class=permission reason=adhoc/forbidden effect=none next=ask_user origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=approval_required class=permission reason=adhoc/approval_required effect=none next=ask_user origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=rate_limited class=retryable reason=adhoc/rate_limited effect=none next=retry origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=overloaded class=retryable reason=adhoc/overloaded effect=none next=retry origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=timeout class=retryable reason=adhoc/timeout effect=possible next=refresh origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=unavailable class=dependency reason=adhoc/unavailable effect=possible next=refresh origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=upstream_failed class=dependency reason=adhoc/upstream_failed effect=possible next=refresh origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=not_found class=terminal reason=adhoc/not_found effect=none next=choose_another origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=conflict class=terminal reason=adhoc/conflict effect=none next=refresh origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=precondition_failed class=terminal reason=adhoc/precondition_failed effect=none next=do_first origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=unsupported class=terminal reason=adhoc/unsupported effect=none next=choose_another origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=quota_exhausted class=terminal reason=adhoc/quota_exhausted effect=none next=ask_user origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=cancelled class=terminal reason=adhoc/cancelled effect=possible next=stop origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=internal class=terminal reason=adhoc/internal effect=possible next=stop origin=server basis=stated message="The milk of \\"Berta\\" is gone."
      kind=unknown class=terminal reason=core/unrecognised effect=possible next=refresh origin=server basis=stated message="The call failed for an unknown reason.""
    `);
  });
});

const full = stampFault(
  fail.timeout({
    quote: { text: "come back later", from: "peer" },
    recourse: [{ do: "refresh", tool: "list_milk" }, { do: "ask_user" }],
    issues: [{ pointer: "/cow", rule: "choice", suggestion: "Berta" }],
    retry: { allowed: true, afterMs: 10 },
    limits: [{ quota: 5 }],
    origin: { layer: "gateway", name: "edge" },
    basis: "mapped",
    tried: { attempts: 3, elapsedMs: 4_500, stopped: "attempts" },
    cause: fail.unavailable`Behind.`,
  })`No milk came.`.fault,
  { incident: INCIDENT, at: "2026-11-14T09:30:00Z", trace: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` },
);

describe("every member", () => {
  it("for a model", () => {
    expect(model(full)).toMatchInlineSnapshot(
      `"No milk came: cow is not one of the choices (did you mean "Berta"?). Quote from the server: “come back later” The call was tried 3 times in 4.5 seconds. The call may have taken effect. Call "list_milk" to check the current state instead of repeating the call. If that fails, ask the user. If you report this, give incident 01ARZ3NDEKTSV4RRFFQ69G5FAV."`,
    );
  });

  it("for a person", () => {
    expect(person(full)).toMatchInlineSnapshot(`
      "No milk came. The server said: “come back later” The action may have happened already. Please look at the current state before you try again. Reference: 01ARZ3NDEKTSV4RRFFQ69G5FAV.
      - cow is not one of the choices (did you mean "Berta"?)"
    `);
  });

  it("for a log", () => {
    expect(log(full)).toMatchInlineSnapshot(
      `"kind=timeout class=retryable reason=adhoc/timeout effect=possible next=refresh,ask_user origin=gateway name=edge basis=mapped attempts=3 elapsed_ms=4500 stopped=attempts issues=1 cause=adhoc/unavailable incident=01ARZ3NDEKTSV4RRFFQ69G5FAV trace=00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01 message="No milk came." quote="come back later""`,
    );
  });
});

describe("for a model", () => {
  it("issues stand on lines of their own, beyond the limit", () => {
    const issues = Array.from({ length: 20 }, (_, index) => ({
      pointer: `/argument_${index}`,
      rule: "format",
      expected: "a word that is written in small letters and is not longer than it has to be",
    })) as NonNullable<Fault["issues"]>;
    const lines = model(invalid_arguments.fault({}, { issues })).split("\n");
    expect(lines).toHaveLength(21);
    expect(lines[0]?.length).toBeLessThanOrEqual(480);
    expect(lines[1]).toBe(
      "- argument_0 must be a word that is written in small letters and is not longer than it has to be",
    );
  });

  it("a quotation gets all the length that is left", () => {
    const text = "The cow is not in the mood today. ".repeat(15).slice(0, 500).trim();
    const shown = model(fail.conflict({ quote: { text, from: "upstream" } })`Taken.`.fault);
    expect(shown.length).toBeGreaterThan(475);
    expect(shown.length).toBeLessThanOrEqual(480);
    expect(shown).toContain("…” Check the current state, then decide again.");
  });

  it("a peer's longest identity and message leave room for the next move", () => {
    const fault = readFault({
      v: 1,
      kind: `k${"z".repeat(39)}`,
      class: "terminal",
      reason: `d${"z".repeat(39)}/n${"z".repeat(59)}`,
      message: "z".repeat(240),
      tried: { attempts: Number.MAX_SAFE_INTEGER, elapsedMs: Number.MAX_SAFE_INTEGER, stopped: "budget" },
      incident: INCIDENT,
      quote: { text: "no room for this quotation", from: "peer" },
    }) as Fault;
    const shown = model(fault);
    expect(shown.length).toBeLessThanOrEqual(480);
    expect(shown).toMatch(/^The call failed for an unknown reason\. Quote from the server: “z+…”/);
    expect(shown).toContain("” The call was tried 9007199254740991 times in 104249992 days. The call may have taken");
    // Names that only the sender knows could be words of its own.
    expect(shown).not.toMatch(/kz|dz|nz/);
  });

  it("is at most 480 characters, well formed and one line, with quotation marks, for any fault", () => {
    const texts = fc.string({ unit: "grapheme", maxLength: 300 });
    const move = fc.record(
      { do: fc.constantFrom(...MOVES), tool: texts, candidates: fc.array(texts, { maxLength: 10 }), afterMs: fc.nat() },
      { requiredKeys: ["do"] },
    );
    const wire = fc.record({
      v: fc.constant(1),
      kind: fc.constantFrom(...(Object.keys(KINDS) as Kind[])),
      reason: fc.constant("some/reason"),
      message: fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }).map((text) => `M${text}`),
      effect: fc.constantFrom(...EFFECTS),
      recourse: fc.array(move, { minLength: 1, maxLength: 3 }),
      quote: fc.record({ text: texts, from: fc.constantFrom(...AUTHORS) }),
      incident: fc.constantFrom(INCIDENT, undefined),
      tried: fc.option(fc.record({ attempts: fc.nat(), elapsedMs: fc.nat(), stopped: fc.constant("budget") })),
    });
    fc.assert(
      fc.property(wire, (raw) => {
        const fault = readFault(raw);
        if (fault === undefined) return;
        const shown = model(fault);
        expect(shown.length).toBeLessThanOrEqual(480);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(/[\r\n]/);
        expect(model(fault)).toBe(shown);
        expect(person(fault)).toBe(person(fault));
        expect(log(fault).split("\n")).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
  });
});

describe("for a person", () => {
  it("says no sentence twice", () => {
    const issues = [{ pointer: "/a", rule: "type", expected: "an integer" }] as const;
    expect(person(fail.invalid_input({ issues })`${"a"} must be an integer.`.fault)).toBe(
      '"a" must be an integer. Please check the input.',
    );
    expect(person(fail.unauthenticated`The key is old. Please sign in again.`.fault)).toBe(
      "The key is old. Please sign in again.",
    );
    expect(person(precondition_failed.fault())).toBe(
      "Something else has to happen before this call can succeed. Please take care of that first, then try again.",
    );
    const repeated = {
      ...fail.conflict`The order is closed.`.fault,
      quote: { text: "The order is closed", from: "thrown" },
    };
    expect(person(repeated as Fault)).toBe(
      "The order is closed. Please look at the current state before you try again.",
    );
  });

  it("says no sentence twice about any reason of the library", () => {
    for (const reason of Object.values(LIBRARY_REASONS).flatMap((group) => Object.values<LibraryReason>(group))) {
      const sentences = person(reason.fault({})).split(/(?<=[.?!]) |\n/);
      expect(new Set(sentences).size, reason.id).toBe(sentences.length);
    }
  });

  it("keeps its advice although a server says the same", () => {
    const sent = fail.unauthenticated`Please sign in again.`.fault;
    expect(person(readFault(JSON.parse(JSON.stringify(sent))) as Fault)).toMatch(/again\.” Please sign in again\.$/);
  });

  it("names the wait", () => {
    expect(person(fail.rate_limited({ retry: { allowed: true, afterMs: 5_000 } })`Slow down.`.fault)).toBe(
      "Slow down. Please try again in 5 seconds.",
    );
    expect(person(fail.rate_limited({ retry: { allowed: true, afterMs: 1 } })`Slow down.`.fault)).toBe(
      "Slow down. Please try again in a moment.",
    );
    expect(person(fail.rate_limited({ retry: { allowed: true, afterMs: 0 } })`Slow down.`.fault)).toBe(
      "Slow down. Please try again in a moment.",
    );
  });

  it.each([
    ["authenticate", "Please sign in again."],
    ["fix_input", "Please check the input."],
    ["choose_another", "Please choose something else."],
    ["refresh", "Please look at the current state before you try again."],
    ["do_first", "Please take care of that first, then try again."],
    ["ask_user", "This needs your decision."],
    ["stop", "Please contact the operator if this goes on."],
  ] as const)("%s with every effect", (move, advice) => {
    const say = (effect: Fault["effect"]) => person(fail.conflict({ effect, recourse: [{ do: move }] })`Taken.`.fault);
    expect(say("none")).toBe(`Taken. ${advice}`);
    expect(say("possible")).toBe(`Taken. The action may have happened already. ${advice}`);
    expect(say("applied")).toBe(`Taken. The action has happened. ${advice}`);
  });

  it("gives the link, the reference, the quotation in full and the issues", () => {
    const text = "The cow is not in the mood. ".repeat(18).slice(0, 500).trim();
    const fault = readFault({
      ...fail.approval_required`Approve it.`.fault,
      recourse: [{ do: "ask_user", link: "/approve/7" }],
      quote: { text, from: "upstream" },
      issues: [{ pointer: "/cow", rule: "required" }],
      incident: INCIDENT,
    }) as Fault;
    const shown = person({ ...fault, recourse: [{ do: "ask_user", link: "https://example.com/approve/7" }] });
    expect(shown).toBe(
      `Approve it. The service said: “${text}” ` +
        `This needs your decision. https://example.com/approve/7 Reference: ${INCIDENT}.\n- cow is required`,
    );
  });
});

describe("a message that says what to do stands alone", () => {
  const { fault } = fail.not_found`No channel ${"general"}. Call list_channels first.`;

  it("to a model", () => {
    expect(model(fault)).toBe('No channel "general". Call list_channels first.');
  });

  it("to a person", () => {
    expect(person(fault)).toBe('No channel "general". Call list_channels first.');
    const late = fail.timeout`Late. Call get_order to see what happened.`.fault;
    expect(person(late)).toBe(
      "Late. Call get_order to see what happened. The action may have happened already. " +
        "Please look at the current state before you try again.",
    );
  });

  it("with the wait, unless it says that too", () => {
    const wait = { retry: { allowed: true, afterMs: 5_000 } } as const;
    const [unsaid, said] = [fail.overloaded(wait)`Use the archive.`, fail.overloaded(wait)`Try again in ${5} s.`];
    expect(person(unsaid.fault)).toBe("Use the archive. Please try again in 5 seconds.");
    expect(person(said.fault)).toBe("Try again in 5 s.");
    expect(model(unsaid.fault)).toBe("Use the archive. Wait 5 seconds before calling again.");
    expect(model(said.fault)).toBe("Try again in 5 s.");
  });

  it("as the words of a server, it has our move behind it", () => {
    const received = readFault(JSON.parse(JSON.stringify(fault))) as Fault;
    expect(model(received)).toBe(
      "What the call asked for was not found. " +
        'Quote from the server: “No channel "general". Call list_channels first.” ' +
        "Call again with a different name or id.",
    );
  });

  it("beside what is wrong with the arguments", () => {
    const issues = [{ pointer: "/date", rule: "required" }] as const;
    expect(model(fail.invalid_input({ issues })`It has no date. Use an ISO date.`.fault)).toBe(
      "It has no date. Use an ISO date. date is required.",
    );
  });
});

describe("for a log", () => {
  it("quotes a value that could be mistaken for another pair", () => {
    const name = (value: string) =>
      /name=(.*) basis=/.exec(log({ ...full, origin: { layer: "server", name: value } }))?.[1];
    for (const bare of ["edge", "a.b-c_d/e:f,9"]) expect(name(bare)).toBe(bare);
    for (const other of ["", "a b", "a=b", 'a"b', "a\nb", "ä", "edge ", " edge"]) {
      expect(name(other)).toBe(JSON.stringify(other));
    }
  });

  it("leaves out missing members and keeps zeros", () => {
    expect(log(fail.conflict`Taken.`.fault)).toBe(
      'kind=conflict class=terminal reason=adhoc/conflict effect=none next=refresh origin=server basis=stated message="Taken."'.replace(
        '"Taken."',
        "Taken.",
      ),
    );
    expect(log(fail.rate_limited({ retry: { allowed: true, afterMs: 0 } })`Slow down.`.fault)).toContain("after_ms=0 ");
  });
});
