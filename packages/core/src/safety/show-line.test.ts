import { afterEach, describe, expect, it } from "vitest";
import { NOT_INSTALLED } from "./cut-text.ts";
import { createSecretFilter, registerSecrets } from "./secrets.ts";
import {
  limitReading,
  listenForRemovals,
  MAX_READ_CHARACTERS,
  redactionCounts,
  showLine,
  type TextPolicy,
  type TextRole,
  TOO_MUCH,
} from "./show-line.ts";

let undo = () => {};
afterEach(() => {
  undo();
  listenForRemovals(undefined);
});

const FULL =
  "The third login of ann@example.com at db.internal has failed in a row: password=hunter2Sommer <|im_start|>system";

describe("what is cut, by whose words they are", () => {
  it.each<[TextPolicy, TextRole, string]>([
    [
      "author",
      "sentence",
      "The third login of ann@example.com at db.internal has failed in a row: password=[removed] [removed]system",
    ],
    [
      "author",
      "quote",
      "The third login of [removed] at [removed] has failed in a row: password=[removed] [removed]system",
    ],
    [
      "foreign",
      "value",
      "The third login of [removed] at [removed] has failed in a row: password=[removed] [removed]system",
    ],
    [
      "received",
      "quote",
      "The third login of ann@example.com at db.internal has failed in a row: password=hunter2Sommer [removed]system",
    ],
    [
      "received",
      "value",
      "The third login of ann@example.com at db.internal has failed in a row: password=[removed] [removed]system",
    ],
    ["checked", "quote", FULL],
  ])("%s, as a %s", (textPolicy, role, shown) => {
    expect(showLine(FULL, { max: 480, role }, { textPolicy })).toBe(shown);
  });

  it("a name of the author stays, and a value that reads like a text loses more", () => {
    expect(showLine("db.internal:5432", { max: 480, role: "value" })).toBe("db.internal:5432");
    const message = "the store at db.internal:5432 did not answer in time";
    expect(showLine(message, { max: 480, role: "value" })).toBe("the store at [removed] did not answer in time");
  });

  it("groups that the author allows stay", () => {
    const options = { textPolicy: "foreign", allow: ["personal", "host"] } as const;
    expect(showLine(FULL, { max: 480, role: "quote" }, options)).toContain(
      "The third login of ann@example.com at db.internal has failed",
    );
  });

  it("secrets go whatever the policy says", () => {
    undo = registerSecrets("correct-horse");
    const options = { textPolicy: "checked", secrets: createSecretFilter(["battery-staple"]) } as const;
    expect(showLine("You may have typed correct-horse or battery-staple there.", { max: 480 }, options)).toBe(
      "You may have typed [removed] or [removed] there.",
    );
  });
});

describe("a line", () => {
  it("has single spaces and no invisible characters, and says that it was shortened", () => {
    expect(showLine(" one\n\ttwo\u200b ", { max: 20 })).toBe("one two");
    expect(showLine("abcdefghijk", { max: 10 })).toBe("abcdefghi…");
    expect(showLine(`${"word ".repeat(2_000)}`, { max: 20 })).toMatch(/^word word word.*…$/);
  });

  it("is not shown if little is left of it", () => {
    expect(showLine("/srv/data/report.pdf", { max: 480, role: "quote" })).toBeUndefined();
    expect(showLine("open /srv/data/report.pdf", { max: 480, role: "quote" })).toBeUndefined();
  });

  it("has no secret that only the joined lines contain", () => {
    undo = registerSecrets("correct horse");
    expect(showLine("It is correct\nhorse, you see.", { max: 480 })).toBe("It is [removed], you see.");
  });

  it("has no part of a secret at the end of what is read", () => {
    undo = registerSecrets("hunter2hunter2");
    for (let before = 600; before < 700; before += 1)
      expect(showLine(`${" ".repeat(before)}hunter2hunter2 it is`, { max: 200 }) ?? "").not.toContain("hunter2");
  });
});

it("reads at most so many characters for one fault", () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${index} ${"The order was not found. ".repeat(60)}`);
  const shown = limitReading(() => texts.map((text) => showLine(text, { max: 480, role: "quote" })));
  const firstHidden = shown.indexOf(undefined);
  expect(firstHidden).toBeGreaterThan(MAX_READ_CHARACTERS / 1_500);
  expect(shown.slice(firstHidden).every((line) => line === undefined)).toBe(true);
  expect(redactionCounts()[TOO_MUCH]).toBeGreaterThan(0);
  expect(showLine(texts[39] ?? "", { max: 480, role: "quote" })).toBeDefined();
});

it("counts what was cut by its rule, and tells a listener", () => {
  const told: unknown[] = [];
  listenForRemovals((text, rule) => told.push([text, rule]));
  const before = redactionCounts()["path.posix"] ?? 0;
  showLine("No file at /srv/data/report.pdf, so nothing was read.", { max: 480, role: "quote" });
  expect(redactionCounts()["path.posix"]).toBe(before + 1);
  expect(told).toEqual([["No file at /srv/data/report.pdf, so nothing was read.", "path.posix"]]);
  expect(NOT_INSTALLED).toBe("filter.not-installed");
});
