import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
  createSecretFilter,
  defineReason,
  type Fault,
  type FaultDetails,
  FaultError,
  fail,
  type ReasonOptions,
  readFault,
  redactSecrets,
  registerSecrets,
  render,
  type SecretFilter,
  slot,
  stampFault,
} from "../../src/index.ts";
import { core, toFault } from "../../src/reasons/index.ts";
import { secret, text } from "../arbitraries.ts";

// No secret appears in any rendered text or JSON, nor its base64, percent or JSON form.

const base64 = (value: string) => Buffer.from(value).toString("base64").replace(/=+$/, "");
const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
const ENCODINGS: Readonly<Record<string, (value: string) => string>> = {
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
  return Object.keys(ENCODINGS).filter((form) =>
    shown.some((output) => output.includes((ENCODINGS[form] as typeof inJson)(planted))),
  );
}

const noParams = defineReason("test/plain", { kind: "conflict", text: "It failed." });
const withParams = defineReason("test/worded", {
  kind: "conflict",
  text: "It failed at {place}[ ({more})][, {uri}][, {media}].",
  slots: {
    place: slot.text(200),
    more: slot.optional(slot.list(slot.text(200))),
    uri: slot.optional(slot.uri),
    media: slot.optional(slot.media),
  },
});

const detail = (make: (value: string) => FaultDetails) => (value: string, options: ReasonOptions) =>
  noParams.fault(undefined, { ...make(value), ...options });

/** The ways in which a dynamic string can get into a fault. */
const ENTRIES: Readonly<Record<string, (value: string, options: ReasonOptions) => Fault>> = {
  "text slot": (value, options) => withParams.fault({ place: value }, options),
  "list slot": (value, options) => withParams.fault({ place: "x", more: ["y", value] }, options),
  "uri slot": (value, options) => withParams.fault({ place: "x", uri: `https://example.com/${value}` }, options),
  "media slot": (value, options) => withParams.fault({ place: "x", media: `text/${value}` }, options),
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
  "ad-hoc value": (value, options) => fail.conflict(options)`It is ${value}, not ${value}.`.fault,
  "text given as literals": (value, options) =>
    (fail.conflict(options) as unknown as (sentence: string) => FaultError)(`It is ${value}.`).fault,
  "thrown error": (value, options) => toFault(new Error(value), { ...options, foreignText: "quote" }),
  "thrown error, hidden": (value, options) => toFault(new TypeError(value), { secrets: options.secrets }),
  "thrown string": (value, options) => toFault(value, { ...options, foreignText: "quote" }),
  "thrown system error": (value, options) =>
    toFault(Object.assign(new Error(value), { code: "ECONNREFUSED", address: value }), {
      ...options,
      foreignText: "quote",
    }),
  "foreign cause": (value, options) => noParams.fault(undefined, { ...options, cause: new Error(value) }),
};

/** Ways in which a fault goes on after it was built, so that its secret is registered too late for the build. */
const LATE_CHECKS: Readonly<Record<string, (early: Fault, secrets: SecretFilter | undefined) => Fault>> = {
  "as a cause": (early, secrets) => noParams.fault(undefined, { secrets, cause: new FaultError(early) }),
  "as a cause of an ad-hoc fault": (early, secrets) =>
    fail.internal({ secrets, cause: new FaultError(early) })`No.`.fault,
  "as something thrown": (early, secrets) => toFault(new FaultError(early), { secrets }),
  "as the cause of something thrown": (early, secrets) =>
    toFault(new Error("x", { cause: new FaultError(early) }), { secrets }),
  "as a finished fault": (early, secrets) => redactSecrets(early, secrets),
  "as a finished fault's cause": (early, secrets) =>
    redactSecrets(noParams.fault(undefined, { cause: new FaultError(early) }), secrets),
  "as JSON of a peer": (early, secrets) =>
    readFault(JSON.parse(JSON.stringify(early)), { secrets }) ?? core.internal.fault(),
};

const placement = fc.record({
  planted: secret,
  form: fc.constantFrom(...Object.keys(ENCODINGS)),
  before: fc.oneof(
    fc.constantFrom("", "is ", "token=", "user:"),
    text.map((value) => value.slice(0, 30)),
  ),
  after: fc.oneof(
    fc.constantFrom("", ".", " is wrong", "…"),
    text.map((value) => value.slice(0, 30)),
  ),
});
const textWith = ({ planted, form, before, after }: { planted: string; form: string; before: string; after: string }) =>
  before + (ENCODINGS[form] as typeof inJson)(planted) + after;

let unregister = () => {};
afterEach(() => unregister());

/** Runs a check with the secret registered for the process, then with the secret in the filter of the request. */
function withBothFilters(planted: string, check: (secrets: SecretFilter | undefined) => void): void {
  unregister = registerSecrets(planted);
  check(undefined);
  unregister();
  check(createSecretFilter([planted]));
}

const numRuns = Math.ceil(runs() / 10);

describe("no secret is rendered", () => {
  it.each(Object.entries(ENTRIES))(
    "from: %s",
    (_, enter) => {
      fc.assert(
        fc.property(placement, (place) => {
          withBothFilters(place.planted, (secrets) => {
            const fault = enter(textWith(place), secrets === undefined ? {} : { secrets });
            expect(leaksOf(fault, place.planted)).toEqual([]);
            expect(leaksOf(stampFault(fault, { origin: { layer: "client" } }), place.planted)).toEqual([]);
          });
        }),
        { numRuns },
      );
    },
    120_000,
  );

  it.each(Object.entries(LATE_CHECKS))(
    "when it is registered late: %s",
    (_, late) => {
      fc.assert(
        fc.property(placement, fc.constantFrom(...Object.keys(ENTRIES)), (place, name) => {
          const early = (ENTRIES[name] as (value: string, options: ReasonOptions) => Fault)(textWith(place), {});
          withBothFilters(place.planted, (secrets) => {
            expect(leaksOf(late(early, secrets), place.planted)).toEqual([]);
          });
        }),
        { numRuns: numRuns * 3 },
      );
    },
    120_000,
  );

  it("from any text in the JSON of a peer", () => {
    const peer = {
      ...{ v: 1, kind: "conflict", class: "terminal", reason: "core/conflict", basis: "stated", effect: "none" },
      ...{ incident: "?", at: "?", trace: "?" },
    };
    fc.assert(
      fc.property(placement, fc.boolean(), (place, inMessage) => {
        const value = textWith(place);
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
          requestId: value,
          at: value,
          trace: value,
        };
        withBothFilters(place.planted, (secrets) => {
          const fault = readFault({ ...planted, cause: planted }, { secrets });
          expect(fault).toBeDefined();
          if (fault !== undefined) expect(leaksOf(fault, place.planted)).toEqual([]);
        });
      }),
      { numRuns: runs() },
    );
  }, 120_000);

  it("a text that is not a secret is rendered, so this test can fail", () => {
    const open = Object.entries(ENTRIES).filter(
      ([, enter]) => leaksOf(enter("plainwords", {}), "plainwords").length > 0,
    );
    const hidden = ["text given as literals", "thrown error, hidden", "foreign cause"];
    expect(open.map(([name]) => name)).toEqual(Object.keys(ENTRIES).filter((name) => !hidden.includes(name)));
  });
});
