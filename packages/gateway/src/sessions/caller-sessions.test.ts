import { LATEST_HANDSHAKE_REVISION, LATEST_REVISION, REVISIONS } from "@recourse/core/wire";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_ABILITIES, readAbilities } from "../call/abilities.ts";
import { createCallerSessions, SESSION_MS } from "./caller-sessions.ts";

const SECRET = Buffer.from("secret");
const ANN = { id: '["key","acme","ann"]' };
const BEGINNING = { capabilities: {}, revision: LATEST_HANDSHAKE_REVISION } as const;
const NOW = 1_800_000_000_000;

const capabilities = fc.record(
  {
    elicitation: fc.constantFrom({}, { form: {} }, { url: {} }, { form: {}, url: {} }),
    sampling: fc.constantFrom({}, { tools: {} }, { tools: {}, context: {} }),
    roots: fc.constantFrom({}, { listChanged: true }),
  },
  { requiredKeys: [] },
);
const caller = fc.record({ id: fc.string({ unit: "binary" }) });

describe("the id of a session", () => {
  it("says on every replica with the secret what was agreed on", () => {
    fc.assert(
      fc.property(caller, capabilities, fc.constantFrom(REVISIONS[0], REVISIONS[1]), (who, able, revision) => {
        const { id, session } = createCallerSessions(SECRET).open(who, { capabilities: able, revision });
        expect(id).toMatch(/^[\x21-\x7e]{1,199}$/);
        const found = createCallerSessions(SECRET).find(who, id);
        expect(found).toEqual({ ...session, revision, abilities: readAbilities(able) });
        expect(createCallerSessions(Buffer.from("other")).find(who, id)).toBeUndefined();
      }),
      { numRuns: runs(50) },
    );
  });

  it("is good for one caller only, also where it was found before", () => {
    fc.assert(
      fc.property(caller, caller, (one, other) => {
        fc.pre(one.id !== other.id);
        const sessions = createCallerSessions(SECRET);
        const { id } = sessions.open(one, BEGINNING);
        expect(sessions.find(other, id)).toBeUndefined();
        expect(sessions.find(one, id)).toBeDefined();
        expect(sessions.find(other, id)).toBeUndefined();
      }),
      { numRuns: runs(50) },
    );
  });

  it("is refused where one character is changed, added or left out", () => {
    const sessions = createCallerSessions(SECRET);
    const { id } = sessions.open(ANN, { ...BEGINNING, capabilities: { sampling: {}, roots: {} } });
    expect(sessions.find(ANN, id)).toBeDefined();
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.integer({ min: 0x21, max: 0x7e }), (at, code) => {
        const character = String.fromCharCode(code);
        const [before, after] = [id.slice(0, at), id.slice(at + 1)];
        for (const changed of [before + character + after, before + character + id.slice(at), before + after])
          if (changed !== id) expect(sessions.find(ANN, changed), changed).toBeUndefined();
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(["", "s1", "s1....", "x".repeat(9_000), "\n", "s1.abc\n"])("%j is none", (id) => {
    expect(createCallerSessions(SECRET).find(ANN, id)).toBeUndefined();
  });

  it("of a revision without sessions is none, however it was signed", () => {
    const sessions = createCallerSessions(SECRET);
    const { id } = sessions.open(ANN, { ...BEGINNING, revision: LATEST_REVISION });
    expect(sessions.find(ANN, id)).toBeUndefined();
  });

  it("ends after a day, also where it was found before", () => {
    let nowMs = NOW;
    const sessions = createCallerSessions(SECRET, { now: () => nowMs });
    const { id, session } = sessions.open(ANN, BEGINNING);
    expect(session).toMatchObject({ expiresMs: NOW + SESSION_MS, abilities: NO_ABILITIES });
    expect(sessions.find(ANN, id)).toEqual(session);
    nowMs = NOW + SESSION_MS - 1;
    expect(sessions.find(ANN, id)).toEqual(session);
    nowMs = NOW + SESSION_MS;
    expect(sessions.find(ANN, id)).toBeUndefined();
    expect(createCallerSessions(SECRET, { now: () => nowMs }).find(ANN, id)).toBeUndefined();
  });

  it("is never the same twice", () => {
    const sessions = createCallerSessions(SECRET, { now: () => NOW });
    const ids = Array.from({ length: 100 }, () => sessions.open(ANN, BEGINNING).session.nonce);
    expect(new Set(ids).size).toBe(100);
  });
});
