import { formatId } from "@recourse/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutCredentials, cutFound, cutFoundWords, REMOVED_MARK } from "./cut.ts";
import { containsSecret, createSecretFilter } from "./secrets.ts";

const SECRET = "s3cr3t-t0ken-value";
const filter = createSecretFilter([SECRET, "line one\nline two", "hunter2hunter2"]);
const cut = (text: string) => cutFound(text, (part) => containsSecret(part, filter));

describe("cutFound", () => {
  it.each([
    ["a plain value", `key ${SECRET} refused`, `key ${REMOVED_MARK} refused`],
    ["several", `${SECRET}, then ${SECRET}.`, `${REMOVED_MARK}, then ${REMOVED_MARK}.`],
    ["base64", `Basic ${btoa(`app:${SECRET}`)} refused`, `Basic ${REMOVED_MARK}== refused`],
    ["percent escapes", `q=${SECRET.replaceAll("-", "%2D")}&r=1`, `q=${REMOVED_MARK}&r=1`],
    ["several lines", "before\nline one\nline two\nafter", `before\n${REMOVED_MARK}\nafter`],
    ["a value over two lines", "a hunter2\nhunter2 z", `a ${REMOVED_MARK} z`],
    ["a value that overlaps itself", "hunter2hunter2hunter2", REMOVED_MARK],
    ["nothing", "nothing here", "nothing here"],
  ])("cuts %s and keeps the rest", (_, text, kept) => {
    expect(cut(text)).toBe(kept);
  });

  it("leaves nothing to be found, in long texts with many", () => {
    const text = Array.from({ length: 500 }, (_, index) => `${index} ${SECRET} ${btoa(SECRET)} `).join("\n");
    const out = cut(text);
    expect(filter.has(out)).toBe(false);
    expect(out.startsWith(`0 ${REMOVED_MARK} ${REMOVED_MARK} \n1 ${REMOVED_MARK}`)).toBe(true);
  });

  it("leaves no form of a secret in any text, and all of a text without one", () => {
    const forms = [SECRET, btoa(SECRET), encodeURIComponent(SECRET), Buffer.from(SECRET).toString("hex")];
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...forms, " ", "\n"))), (parts) => {
        const text = parts.join("");
        const out = cut(text);
        expect(filter.has(out)).toBe(false);
        if (!filter.has(text)) expect(out).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it("searches a text only a few times, however much is found in it", () => {
    for (const size of [1_000, 4_000, 16_000]) {
      for (const unit of [`${SECRET} `, `${SECRET}`, `some words ${btoa(SECRET)} `, "x"]) {
        const text = unit.repeat(size / unit.length);
        let searched = 0;
        cutFound(text, (part) => {
          searched += part.length;
          return containsSecret(part, filter);
        });
        expect(searched / text.length).toBeLessThan(30);
      }
    }
  });

  it("cuts what goes across the places at which it divides a text", () => {
    for (let before = 0; before < 300; before++) {
      const text = `${"a ".repeat(before)}${SECRET} ${"b ".repeat(150)}${SECRET} c`;
      expect(cut(text)).toBe(text.replaceAll(SECRET, REMOVED_MARK));
    }
  });

  it("gives up on a test that nothing satisfies", () => {
    expect(cutFound("abc", () => true)).toBe(REMOVED_MARK);
  });
});

describe("cutFoundWords", () => {
  const isLong = (part: string) => /[a-z]{8}|be careful/.test(part);
  it.each([
    ["one abcdefghij two", `one ${REMOVED_MARK} two`],
    ['{"a":"abcdefghij","b":"abcdefgh"}', `{"a":"${REMOVED_MARK}","b":"${REMOVED_MARK}"}`],
    ["you must be careful now", `you must ${REMOVED_MARK} now`],
    ["abcdefgh", REMOVED_MARK],
    ["nothing", "nothing"],
  ])("cuts words out of %s", (text, kept) => {
    expect(cutFoundWords(text, isLong)).toBe(kept);
  });
});

const id = formatId(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
const PEM =
  "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END PRIVATE KEY-----";
const CUT_PEM =
  "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n    at open (a.ts:1)";

describe("cutCredentials", () => {
  it.each([
    [
      "connect ECONNREFUSED postgres://app:hunter2@10.0.0.5/db",
      "connect ECONNREFUSED postgres://app:<removed>@10.0.0.5/db",
    ],
    ["Authorization: Bearer abcdef123456, retry", "Authorization: Bearer <removed>, retry"],
    ['{"authorization":"Bearer abcdef123456","host":"h"}', '{"authorization":"Bearer <removed>","host":"h"}'],
    ["Cookie: sid=abc123456; theme=dark\nnext", "Cookie: <removed>\nnext"],
    ["password=hunter22 and user=ann", "password=<removed> and user=ann"],
    [
      '"{\\"password\\":\\"hunter22\\",\\"user\\":\\"ann\\"}"',
      '"{\\"password\\":\\"<removed>\\",\\"user\\":\\"ann\\"}"',
    ],
    ["key sk_live_51H8xyzABCDEFGHIJKLMNOP refused", "key <removed> refused"],
    ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def here", "jwt <removed> here"],
    [`before ${PEM} after`, "before <removed> after"],
    [`bad key ${CUT_PEM}`, "bad key <removed>\n    at open (a.ts:1)"],
    ["GET https://b.example/o?X-Amz-Signature=0123456789abcdef&x=1", "GET https://b.example/o<removed>"],
  ])("cuts the value out of %s", (text, kept) => {
    expect(cutCredentials(text)).toBe(kept);
  });

  it.each([
    `incident=${id} token=${id}`,
    "no user ada@example.com at 10.0.0.5:5432 in /srv/app/db.ts",
    "relation orders does not exist",
    "User: arn:aws:iam::123456789012:user/x is not authorized to perform: s3:GetObject",
    "max_tokens=4096 token_type=bearer",
    "password: required",
  ])("keeps %s", (text) => {
    expect(cutCredentials(text)).toBe(text);
  });
});

it("cuts the same out of a text each time, whatever was cut before", () => {
  const text = "password=hunter2-a and https://app:hunter2@db.example, then password=hunter3-b";
  const first = cutCredentials(text);
  expect(first).not.toMatch(/hunter/);
  for (const other of [text, "password=x", "", text]) cutCredentials(other);
  expect(cutCredentials(text)).toBe(first);
});
