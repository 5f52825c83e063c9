import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, test } from "vitest";
import { findQuery, type OmniboxForm, readOmnibox, targetOfForm, targetOfFound } from "./omnibox.ts";

const ID = "01M7K7RE4ST7GE86F8QRXY0849";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

const FORMS: readonly (readonly [typed: string, form: OmniboxForm | undefined])[] = [
  ["", undefined],
  ["   ", undefined],
  [ID, { type: "id", id: ID }],
  [` ${ID}\n`, { type: "id", id: ID }],
  [ID.toLowerCase(), { type: "id", id: ID }],
  ["O1M7K7RE4ST7GE86F8QRXYO849", { type: "id", id: ID }],
  [`If you report this, give incident ${ID}.`, { type: "id", id: ID }],
  [`"incident":"${ID}"`, { type: "id", id: ID }],
  [`https://edge.example:9443/console/i/${ID}?with=x`, { type: "id", id: ID }],
  [`${ID}0`, { type: "words", text: `${ID}0` }],
  ["abcdefghjkmnpqrstvwxyzabcd", { type: "words", text: "abcdefghjkmnpqrstvwxyzabcd" }],
  ["9f3c21d4", { type: "hex", hex: "9f3c21d4", isTrace: false }],
  ["9F3C21D4", { type: "hex", hex: "9f3c21d4", isTrace: false }],
  ["9f3c21d", { type: "words", text: "9f3c21d" }],
  ["deadbeef", { type: "hex", hex: "deadbeef", isTrace: false }],
  ["is it deadbeef again", { type: "words", text: "is it deadbeef again" }],
  ["on 20261116 it failed", { type: "words", text: "on 20261116 it failed" }],
  [TRACE, { type: "hex", hex: TRACE, isTrace: true }],
  [`trace_id=${TRACE} span`, { type: "hex", hex: TRACE, isTrace: true }],
  [`00-${TRACE}-00f067aa0ba902b7-01`, { type: "words", text: `00-${TRACE}-00f067aa0ba902b7-01` }],
  ["transport/connection_lost", { type: "reason", reason: "transport/connection_lost" }],
  ["core/internal", { type: "reason", reason: "core/internal" }],
  ["it says (core/rate_limited)", { type: "reason", reason: "core/rate_limited" }],
  ["refund and/or cancel", { type: "words", text: "refund and/or cancel" }],
  ["shop__refund", { type: "tool", tool: "shop__refund" }],
  ["the tool shop__refund failed", { type: "tool", tool: "shop__refund" }],
  ["crm__delete-contact.v2", { type: "tool", tool: "crm__delete-contact.v2" }],
  ['["key","acme","agent-eu"]', { type: "caller", caller: '["key","acme","agent-eu"]' }],
  [`["key","acme","${ID}"]`, { type: "caller", caller: `["key","acme","${ID}"]` }],
  ["sha256:5f2c1b00aa11", { type: "caller", caller: "sha256:5f2c1b00aa11" }],
  ["caller sha256:5f2c1b00aa11 again", { type: "caller", caller: "sha256:5f2c1b00aa11" }],
  ["agent-eu", { type: "words", text: "agent-eu" }],
  ["shop", { type: "words", text: "shop" }],
];

test.each(FORMS)("%j", (typed, form) => {
  expect(readOmnibox(typed)).toEqual(form);
});

describe("a long text", () => {
  test.each(["a_-/".repeat(250_000), "0123456789".repeat(100_000)])(
    "is read fast, up to a length: %.10s",
    async (text) => {
      expect(readOmnibox(text)?.type).toBe("words");
      await expectCost({
        work: () => readOmnibox(text),
        yardstick: () => JSON.parse(JSON.stringify(text)),
        atMost: 2,
      });
    },
  );

  test("is looked for by its first 256 characters", () => {
    expect(findQuery({ type: "words", text: "x".repeat(1_000) })).toHaveLength(256);
  });
});

test("what was found leads to its page", () => {
  expect(targetOfFound({ type: "incident", id: ID })).toEqual({ path: `i/${ID}` });
  expect(targetOfFound({ type: "approval", id: ID })).toEqual({ path: `approvals/${ID}` });
  expect(targetOfFound({ type: "cause", id: "9f3c21d4" })).toEqual({ path: "c/9f3c21d4" });
  expect(targetOfFound({ type: "tool", id: "shop__refund" })).toEqual({
    path: "incidents",
    query: { tool: "shop__refund" },
  });
  expect(targetOfFound({ type: "caller", id: '["key","a/b"]' })).toEqual({
    path: "callers/%5B%22key%22%2C%22a%2Fb%22%5D",
  });
  expect(targetOfFound({ type: "upstream", id: "shop" })).toEqual({ path: "upstreams/shop" });
});

test("a form leads somewhere even if nothing was found; words do not", () => {
  expect(targetOfForm({ type: "id", id: ID })).toEqual({ path: `i/${ID}` });
  expect(targetOfForm({ type: "hex", hex: TRACE, isTrace: true })).toEqual({ path: `c/${TRACE}` });
  expect(targetOfForm({ type: "words", text: "shop" })).toBeUndefined();
});
