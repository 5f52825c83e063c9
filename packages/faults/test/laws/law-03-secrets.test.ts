import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
  core,
  createSecretFilter,
  type Details,
  defineReason,
  type Fault,
  FaultError,
  fail,
  protect,
  type Rest,
  readFault,
  render,
  type SecretFilter,
  slot,
  stamp,
  toFault,
  withhold,
} from "../../src/index.ts";
import { secret, text } from "../arbitraries.ts";
import { runs } from "../runs.ts";

// Law 3: no planted secret appears in any rendered text or JSON, nor its base64, percent or JSON form.

const base64 = (value: string) => Buffer.from(value).toString("base64").replace(/=+$/, "");
const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
const FORMS: Readonly<Record<string, (value: string) => string>> = {
  itself: (value) => value,
  base64,
  "base64 for URLs": (value) => Buffer.from(value).toString("base64url"),
  percent: encodeURIComponent,
  JSON: inJson,
};

function leaksOf(fault: Fault, planted: string): string[] {
  const shown = [
    JSON.stringify(fault),
    render(fault, { for: "model" }),
    render(fault, { for: "person" }),
    render(fault, { for: "log" }),
  ];
  return Object.keys(FORMS).filter((form) =>
    shown.some((output) => output.includes((FORMS[form] as typeof inJson)(planted))),
  );
}

const plain = defineReason("law/plain", { kind: "conflict", text: "It failed." });
const worded = defineReason("law/worded", {
  kind: "conflict",
  text: "It failed at {place}[ ({more})][, {uri}][, {media}].",
  slots: {
    place: slot.text(200),
    more: slot.optional(slot.list(slot.text(200))),
    uri: slot.optional(slot.uri),
    media: slot.optional(slot.media),
  },
});

const detail = (make: (value: string) => Details) => (value: string, nets: Rest) =>
  plain.fault(undefined, { ...make(value), ...nets });

/** The ways by which a dynamic string can get into a fault. */
const WAYS: Readonly<Record<string, (value: string, nets: Rest) => Fault>> = {
  "text slot": (value, nets) => worded.fault({ place: value }, nets),
  "list slot": (value, nets) => worded.fault({ place: "x", more: ["y", value] }, nets),
  "uri slot": (value, nets) => worded.fault({ place: "x", uri: `https://example.com/${value}` }, nets),
  "media slot": (value, nets) => worded.fault({ place: "x", media: `text/${value}` }, nets),
  quote: detail((value) => ({ quote: { text: value, from: "peer" } })),
  "issue pointer": detail((value) => ({ issues: [{ pointer: `/a/${value}/b`, rule: "type" }] })),
  "issue expected": detail((value) => ({ issues: [{ pointer: "/a", rule: "type", expected: value }] })),
  "issue suggestion": detail((value) => ({ issues: [{ pointer: "/a", rule: "unknown", suggestion: value }] })),
  candidates: detail((value) => ({ recourse: [{ do: "choose_another", candidates: ["a", value] }] })),
  fields: detail((value) => ({ recourse: [{ do: "fix_input", fields: [`/${value}`] }] })),
  tool: detail((value) => ({ recourse: [{ do: "do_first", tool: value }] })),
  approval: detail((value) => ({ recourse: [{ do: "ask_user", approval: value }] })),
  link: detail((value) => ({ recourse: [{ do: "ask_user", link: `https://example.com/${value}` }] })),
  "limit policy": detail((value) => ({ limits: [{ policy: value, quota: 1 }] })),
  "limit unit": detail((value) => ({ limits: [{ unit: value }] })),
  "limit scope": detail((value) => ({ limits: [{ scope: value }] })),
  "origin name": detail((value) => ({ origin: { layer: "gateway", name: value } })),
  "ad-hoc value": (value, nets) => fail.conflict(nets)`It is ${value}, not ${value}.`.fault,
  "text given as literals": (value, nets) =>
    (fail.conflict(nets) as unknown as (sentence: string) => FaultError)(`It is ${value}.`).fault,
  "thrown error": (value, nets) => toFault(new Error(value), { ...nets, thrown: "quote" }),
  "thrown error, masked": (value, nets) => toFault(new TypeError(value), { secrets: nets.secrets }),
  "thrown string": (value, nets) => toFault(value, { ...nets, thrown: "quote" }),
  "thrown system error": (value, nets) =>
    toFault(Object.assign(new Error(value), { code: "ECONNREFUSED", address: value }), { ...nets, thrown: "quote" }),
  "foreign cause": (value, nets) => plain.fault(undefined, { ...nets, cause: new Error(value) }),
};

/** The same ways, where the secret becomes known only after the fault was built. */
const LATE: Readonly<Record<string, (early: Fault, secrets: SecretFilter | undefined) => Fault>> = {
  "as a cause": (early, secrets) => plain.fault(undefined, { secrets, cause: new FaultError(early) }),
  "as a cause of an ad-hoc fault": (early, secrets) =>
    fail.internal({ secrets, cause: new FaultError(early) })`No.`.fault,
  "as something thrown": (early, secrets) => toFault(new FaultError(early), { secrets }),
  "as the cause of something thrown": (early, secrets) =>
    toFault(new Error("x", { cause: new FaultError(early) }), { secrets }),
  "as a finished fault": (early, secrets) => withhold(early, secrets),
  "as a finished fault's cause": (early, secrets) =>
    withhold(plain.fault(undefined, { cause: new FaultError(early) }), secrets),
  "as JSON of a peer": (early, secrets) =>
    readFault(JSON.parse(JSON.stringify(early)), { secrets }) ?? core.internal.fault(),
};

const placed = fc.record({
  planted: secret,
  form: fc.constantFrom(...Object.keys(FORMS)),
  before: fc.oneof(
    fc.constantFrom("", "is ", "token=", "user:"),
    text.map((value) => value.slice(0, 30)),
  ),
  after: fc.oneof(
    fc.constantFrom("", ".", " is wrong", "…"),
    text.map((value) => value.slice(0, 30)),
  ),
});
const put = ({ planted, form, before, after }: { planted: string; form: string; before: string; after: string }) =>
  before + (FORMS[form] as typeof inJson)(planted) + after;

let release = () => {};
afterEach(() => release());

/** Runs with the secret known to the process, then with the secret known to the request. */
function bothWays(planted: string, check: (secrets: SecretFilter | undefined) => void): void {
  release = protect(planted);
  check(undefined);
  release();
  check(createSecretFilter([planted]));
}

const numRuns = Math.ceil(runs() / 10);

describe("no planted secret is shown", () => {
  it.each(Object.entries(WAYS))(
    "by way of: %s",
    (_, way) => {
      fc.assert(
        fc.property(placed, (place) => {
          bothWays(place.planted, (secrets) => {
            const fault = way(put(place), secrets === undefined ? {} : { secrets });
            expect(leaksOf(fault, place.planted)).toEqual([]);
            expect(leaksOf(stamp(fault, { origin: { layer: "client" } }), place.planted)).toEqual([]);
          });
        }),
        { numRuns },
      );
    },
    120_000,
  );

  it.each(Object.entries(LATE))(
    "when it gets known late: %s",
    (_, late) => {
      fc.assert(
        fc.property(placed, fc.constantFrom(...Object.keys(WAYS)), (place, name) => {
          const early = (WAYS[name] as (value: string, nets: Rest) => Fault)(put(place), {});
          bothWays(place.planted, (secrets) => {
            expect(leaksOf(late(early, secrets), place.planted)).toEqual([]);
          });
        }),
        { numRuns: numRuns * 3 },
      );
    },
    120_000,
  );

  it("by way of any text in the JSON of a peer", () => {
    const peer = {
      ...{ v: 1, kind: "conflict", class: "terminal", reason: "core/conflict", basis: "stated", effect: "none" },
      ...{ incident: "?", at: "?", trace: "?" },
    };
    fc.assert(
      fc.property(placed, fc.boolean(), (place, inMessage) => {
        const value = put(place);
        const planted = {
          ...peer,
          message: inMessage ? value : "It failed.",
          params: { a: value, b: [value] },
          quote: { text: value, from: "peer" },
          recourse: [
            { do: "ask_user", fields: [`/${value}`], candidates: [value], tool: value, approval: value, link: value },
          ],
          issues: [{ pointer: `/${value}`, rule: value, expected: value, suggestion: value }],
          limits: [{ policy: value, unit: value, scope: value, quota: 1 }],
          origin: { layer: "server", name: value },
          docs: `/${value}`,
          incident: value,
          at: value,
          trace: value,
        };
        bothWays(place.planted, (secrets) => {
          const fault = readFault({ ...planted, cause: planted }, { secrets });
          expect(fault === undefined).toBe(inMessage);
          if (fault !== undefined) expect(leaksOf(fault, place.planted)).toEqual([]);
        });
      }),
      { numRuns: runs() },
    );
  }, 120_000);

  it("is shown where nobody calls it a secret, so the law can fail", () => {
    const open = Object.entries(WAYS).filter(([, way]) => leaksOf(way("plainwords", {}), "plainwords").length > 0);
    const hidden = ["text given as literals", "thrown error, masked", "foreign cause"];
    expect(open.map(([name]) => name)).toEqual(Object.keys(WAYS).filter((name) => !hidden.includes(name)));
  });
});
