import { expect, it } from "vitest";
import {
  HANDSHAKE_VERSIONS,
  hasHandshake,
  hasInputErrorRule,
  hasInputRequired,
  hasListen,
  hasMessageHeaders,
  hasOutputSchemas,
  hasRequestMeta,
  hasResultTypes,
  hasUnknownToolRule,
  isLaterVersion,
  LATEST_HANDSHAKE_REVISION,
  LATEST_REVISION,
  NEWEST_REVISIONS,
  parseRevision,
  REVISIONS,
  type Revision,
  reservesCodes,
} from "./revisions.ts";

const PREDICATES = {
  hasHandshake,
  hasRequestMeta,
  hasMessageHeaders,
  hasResultTypes,
  hasInputRequired,
  hasListen,
  reservesCodes,
  hasOutputSchemas,
  hasUnknownToolRule,
  hasInputErrorRule,
};

/** What holds for each revision. A new revision needs a row, so none of these changes unseen. */
const HOLDS: Readonly<Record<Revision, readonly (keyof typeof PREDICATES)[]>> = {
  "2025-06-18": ["hasHandshake", "hasOutputSchemas", "hasUnknownToolRule"],
  "2025-11-25": ["hasHandshake", "hasOutputSchemas", "hasUnknownToolRule", "hasInputErrorRule"],
  "2026-07-28": [
    "hasRequestMeta",
    "hasMessageHeaders",
    "hasResultTypes",
    "hasInputRequired",
    "hasListen",
    "reservesCodes",
    "hasOutputSchemas",
    "hasUnknownToolRule",
    "hasInputErrorRule",
  ],
};

it.each(REVISIONS)("%s has exactly what it has", (revision) => {
  const holds = Object.entries(PREDICATES).filter(([, predicate]) => predicate(revision));
  expect(holds.map(([name]) => name)).toEqual(HOLDS[revision]);
});

it("says nothing about a revision that is not known", () => {
  const predicates = [
    hasHandshake,
    hasRequestMeta,
    hasMessageHeaders,
    hasResultTypes,
    hasInputRequired,
    hasListen,
    reservesCodes,
  ];
  expect(predicates.map((predicate) => predicate(undefined))).toEqual(predicates.map(() => false));
});

it("names the newest of each kind", () => {
  expect(LATEST_REVISION).toBe(REVISIONS.at(-1));
  expect(LATEST_HANDSHAKE_REVISION).toBe(REVISIONS.filter(hasHandshake).at(-1));
  expect(NEWEST_REVISIONS).toEqual(["2025-11-25", "2026-07-28"]);
  expect(HANDSHAKE_VERSIONS).toEqual(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);
});

it("reads a version as the revision of that name, and any other as the newest with a handshake", () => {
  expect(REVISIONS.map(parseRevision)).toEqual(REVISIONS);
  expect([undefined, "", "2025-03-26", "2099-01-01"].map(parseRevision)).toEqual(Array(4).fill("2025-11-25"));
});

it("knows the rules of versions that it does not serve", () => {
  expect(["2024-11-05", "2025-03-26"].map(hasOutputSchemas)).toEqual([false, false]);
  expect(["2025-03-26", "2099-01-01"].map(hasInputErrorRule)).toEqual([false, true]);
});

it.each([
  ["2026-07-29", true],
  ["2099-01-01", true],
  ["2026-07-28", false],
  ["2025-11-25", false],
  ["draft", false],
  ["2099-1-1", false],
  [20990101, false],
  [undefined, false],
])("isLaterVersion of %j is %j", (version, later) => {
  expect(isLaterVersion(version)).toBe(later);
});
