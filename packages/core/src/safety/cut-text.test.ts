import { readFileSync } from "node:fs";
import { expectCost } from "@recourse/test-kit/yardstick";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText, isMostlyCut, MAX_CUT_TEXT, TOO_LONG } from "./cut-text.ts";
import { CUT_MARK } from "./find-matches.ts";
import { installTextFilter } from "./full-search.ts";
import { createSecretFilter } from "./secrets.ts";

installTextFilter();
const cut = (text: string, options = {}) => cutText(text, options).text;

describe("cutText", () => {
  it.each([
    [
      "Login with password=hunter2Sommer failed, call sign_in first.",
      "Login with password=[removed] failed, call sign_in first.",
    ],
    ['{"error":"refused","password":"hunter2Sommer","left":3}', '{"error":"refused","password":"[removed]","left":3}'],
    [
      '{\\"error\\":\\"refused\\",\\"password\\":\\"hunter2Sommer\\"}',
      '{\\"error\\":\\"refused\\",\\"password\\":\\"[removed]\\"}',
    ],
    ["connect to postgres://app:hunter2@10.0.0.5/shop refused", "connect to [removed] refused"],
    ["Bearer abcDEF123456789 was refused.", "Bearer [removed] was refused."],
    ["Cookie: session=abc123; csrf=def456\nNext line.", "Cookie: [removed]\nNext line."],
    ["The password for the service account is Rain-Bow-88.", "The password for the service account is [removed]."],
    ["La password dell'account è Rain-Bow-88.", "La password dell'account è [removed]."],
    ["A senha da conta de serviço é Rain-Bow-88.", "A senha da conta de serviço é [removed]."],
    ["Lösenordet för kontot är Rain-Bow-88.", "Lösenordet för kontot är [removed]."],
    ["Das Passwort des Dienstkontos lautet Rain-Bow-88.", "Das Passwort des Dienstkontos lautet [removed]."],
    ["सेवा खाते का पासवर्ड Rain-Bow-88 है", "सेवा खाते का पासवर्ड [removed] है"],
    ["login failed: svc / rainbow88", "login failed: svc / [removed]"],
    [
      "user | password\n--- | ---\nann | sesame\nbob | tulip",
      "user | password\n--- | ---\nann | [removed]\nbob | [removed]",
    ],
    ["user\tpassword\nann\tsesame", "user\tpassword\nann\t[removed]"],
    ["user,password\nann,sesame", "user,password\nann,[removed]"],
    ["PGPASSWORD=Tr0ub4dor&3 was refused", "PGPASSWORD=[removed] was refused"],
    ["GET /me?token=abc123def&page=2 failed", "GET /me?token=[removed]&page=2 failed"],
    ["No file /home/ann/notes/todo.md.", "No file [removed]."],
    ["Mail to bob@example.com bounced.", "Mail to [removed] bounced."],
    ["mysqldump -h db -u root -pKt5walnutGrove shop failed", "mysqldump -h db -u root -p[removed] shop failed"],
    ["<|im_start|>system", "[removed]system"],
    [
      "It failed.\n    at run (/srv/app/x.js:1:2)\n    at async Foo.bar (file:///srv/app/y.js:10:3)\nTry again.",
      "It failed.\nTry again.",
    ],
    ["\u001b[31mIt failed.\u001b[0m\u0007", "It failed."],
  ])("%s", (text, expected) => expect(cut(text)).toBe(expected));

  it.each([
    "Call list_channels first.",
    'column "pric" does not exist',
    "Tests failed: 2 of 31 in test/sum.test.ts:12:5",
    "Port 3000 is already in use.",
    "Customer 7f3c9a1e-52b4-4d0e-9f6a-0c1d2e3f4a5b not found",
    "No such customer: 'cus_9s6XKzkNRiz8i3'",
    "Password must have at least 12 characters.",
    "The token budget of 4,000 is exceeded.",
  ])("lets pass: %s", (text) => {
    expect(cutText(text)).toEqual({ text, rule: undefined, words: expect.any(Number), left: expect.any(Number) });
  });

  it.each([
    ["password: swordfish\nTry again later", "password: [removed]\nTry again later"],
    ["Passwort: swordfish\nSELECT", "Passwort: [removed]\nSELECT"],
    ["password: try another one", "password: try another one"],
  ])("takes a plain word for a password where its line ends: %j", (text, shown) => {
    expect(cutText(text).text).toBe(shown);
  });

  it("finds a key block to its end, and one without an end to the end of the text", () => {
    const block = "-----BEGIN PRIVATE KEY-----\nMIIEvAIBADANBgkq\n-----END PRIVATE KEY-----";
    expect(cut(`The key ${block} is not ours.`)).toBe("The key [removed] is not ours.");
    expect(cut("The key -----BEGIN PRIVATE KEY-----\nMIIEvAIBADANBgkq\nabc")).toBe("The key [removed]");
  });

  it("reads percent and base64 once, and compatible and invisible characters", () => {
    const said = "password=hunter2Sommer";
    expect(cut(`It said ${encodeURIComponent(said)} there.`)).toBe("It said [removed] there.");
    expect(cut(`It said ${Buffer.from(said).toString("base64")} there.`)).toBe("It said [removed] there.");
    expect(cut("It said ｐａｓｓｗｏｒｄ＝hunter2Sommer there.")).toBe("It said ｐａｓｓｗｏｒｄ＝[removed] there.");
    expect(cut("It said pass\u200bword=hunter2Sommer there.")).toBe("It said pass\u200bword=[removed] there.");
  });

  it("leaves what the caller sent as a whole, and nothing that is labelled as a secret", () => {
    const callerTexts = ["/home/ann/a.txt", "hunter2Sommer"];
    expect(cut("No file /home/ann/a.txt.", { callerTexts })).toBe("No file /home/ann/a.txt.");
    expect(cut("No file /home/ann/a.txt.bak.", { callerTexts })).toBe("No file [removed].");
    expect(cut("password=hunter2Sommer is wrong", { callerTexts })).toBe("password=[removed] is wrong");
    expect(cut("No file /home/ann/a.txt.", { allow: ["path"] })).toBe("No file /home/ann/a.txt.");
  });

  it("cuts secrets of the request in their usual forms", () => {
    const secrets = createSecretFilter(["correct horse"]);
    expect(cut("You typed correct horse there.", { secrets })).toBe("You typed [removed] there.");
    expect(cut("You typed correct%20horse there.", { secrets })).toBe("You typed [removed] there.");
  });

  it("says what is left", () => {
    expect(isMostlyCut(cutText("postgres://app:hunter2@10.0.0.5/shop refused"))).toBe(true);
    expect(isMostlyCut(cutText("The address postgres://app:hunter2 was refused"))).toBe(false);
    const long = cutText(`${"word ".repeat(MAX_CUT_TEXT)}password=hunter2Sommer`);
    expect(long.rule).toBe(TOO_LONG);
    expect(long.text.length).toBeLessThanOrEqual(MAX_CUT_TEXT + 1);
  });
});

const WORD = fc.constantFrom("the", "order", "A-7", "failed", "since", "is", "for", "user", "|", ",", "\n", "=", ":");
const SECRET = fc.constantFrom(
  "hunter2Sommer",
  "Rain-Bow-88",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh",
  "xK9mQ2vR7tL4wZ8p",
);
const LABEL = fc.constantFrom("password=", "password: ", "Bearer ", "the password is ", "token=", '"secret": "', "");

const PIECES = [
  "password=",
  "a@b",
  "-----BEGIN ",
  "eyJ",
  "x=",
  "/a",
  "%41",
  "QUJD",
  "1.1.",
  "::",
  "| password ",
  "--p ",
  "”",
  "\u0301",
];

describe("a crafted text", () => {
  it("has nothing left that a rule of credentials finds", () => {
    const part = fc.oneof(
      WORD,
      fc.tuple(LABEL, SECRET).map((both) => both.join("")),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const first = cutText(parts.join(" "));
        expect(cutText(first.text).rule).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("stays JSON where it was JSON", () => {
    const value = fc.oneof(SECRET, fc.constantFrom("fine", "/home/ann/x.txt", "bob@example.com"));
    const object = fc.dictionary(fc.constantFrom("password", "path", "mail", "note", "token"), value);
    fc.assert(fc.property(object, (one) => void JSON.parse(cut(JSON.stringify(one)))));
  });

  it.each(PIECES)("costs time in proportion to its length: %j", async (piece) => {
    const text = piece.repeat(MAX_CUT_TEXT / piece.length);
    const half = text.slice(0, text.length / 2);
    await expectCost({ work: () => cutText(text), yardstick: () => cutText(half), atMost: 4 });
  });
});

// Written by someone who had not read a rule. Measured once before a rule was changed for it: 7 of 70 leaks were left, and 4
// of 70 honest texts were changed.
describe("a set of texts that no rule was written for", () => {
  const page = readFileSync(new URL("../../test/text/cut-set.json", import.meta.url), "utf8").replaceAll("{}", "");
  const set = JSON.parse(page) as {
    readonly leaks: readonly { readonly id: string; readonly text: string; readonly secret: string }[];
    readonly honest: readonly { readonly id: string; readonly text: string }[];
  };

  it("loses its secrets", () => {
    const left = set.leaks.filter(({ text, secret }) => {
      const outcome = cutText(text);
      return !isMostlyCut(outcome) && outcome.text.includes(secret);
    });
    expect(left.map(({ id }) => id)).toEqual([]);
  });

  it("keeps its honest sentences", () => {
    expect(set.honest.filter(({ text }) => cut(text) !== text).map(({ id }) => id)).toEqual(["h55"]);
  });
});

it("has a mark that no rule finds", () => {
  expect(cutText(`password=${CUT_MARK} and token: ${CUT_MARK}`).rule).toBeUndefined();
});
