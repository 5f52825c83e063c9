import { describe, expect, it } from "vitest";
import { type RuleMatch, restWithoutCallerText } from "./caller-matches.ts";
import { COMPLETE_MARK, REPEATED_MARK } from "./harmless-rest.ts";

/** Rules by their id, and what each of them matches in the text. */
type Matches = readonly (readonly [id: string, part: string])[];

/** What is left of a text, with `□` for a repetition and `■` for one that is complete by its form. */
function rest(text: string, sent: readonly string[], matches: Matches, isUnescaped = false): string | undefined {
  const found = matches.map(([id, part]) => {
    const start = text.indexOf(part);
    return { id, group: id.slice(0, id.indexOf(".")), start, end: start + part.length } as RuleMatch;
  });
  return restWithoutCallerText(text, { matches: found, repeated: sent, isUnescaped })
    ?.replaceAll(REPEATED_MARK, "□")
    .replaceAll(COMPLETE_MARK, "■");
}

describe("a match inside what the caller sent", () => {
  it.each<[text: string, sent: string, rule: string, rest: string]>([
    ["No file at /etc/motd", "/etc/motd", "path.posix", "No file at □"],
    ["No file at /etc/a.txt", "/etc/a.txt", "path.posix", "No file at ■"],
    ["ann@a.example left the company", "ann@a.example", "personal.email", "■ left the company"],
    ["Ann Lee was not found", "Ann Lee", "personal.name", "□ was not found"],
    ["Germany: arn:aws:s3:::x", "arn:aws:s3:::x", "provider.arn", "Germany: ■"],
  ])("is excused: %s", (text, sent, rule, expected) => {
    expect(rest(text, [sent], [[rule, sent]])).toBe(expected);
    expect(rest(text, [], [[rule, sent]])).toBeUndefined();
    expect(rest(text, ["found"], [[rule, sent]])).toBeUndefined();
  });

  it("does not excuse another one, nor one that is unknown", () => {
    const text = "No file at /etc/motd or /etc/passwd";
    const own = ["path.posix", "/etc/motd"] as const;
    expect(rest(text, ["/etc/motd"], [own, ["path.posix", "/etc/passwd"]])).toBeUndefined();
    expect(rest(text, ["/etc/motd", "/etc/passwd"], [own, ["path.posix", "/etc/passwd"]])).toBe("No file at □ or □");
    expect(
      restWithoutCallerText("No file at /etc/motd", {
        matches: [undefined],
        repeated: ["/etc/motd"],
        isUnescaped: false,
      }),
    ).toBeUndefined();
  });

  it("is complete if one of its rules says so", () => {
    const text = "No /etc/a.txt letters";
    const name = ["personal.name", "/etc/a.txt"] as const;
    const path = ["path.posix", "/etc/a.txt"] as const;
    expect(rest(text, ["/etc/a.txt"], [name])).toBeUndefined();
    expect(rest(text, ["/etc/a.txt"], [name, path])).toBe("No ■ letters");
    expect(rest(text, ["/etc/a.txt"], [path, name])).toBe("No ■ letters");
  });

  it("is complete only if it reaches the end of what was sent", () => {
    const text = "No /etc/my dir.txt letters";
    expect(rest(text, ["/etc/my dir.txt"], [["path.posix", "/etc/my"]])).toBeUndefined();
    expect(rest(text, ["/etc/my dir.txt"], [["path.posix", "/etc/my dir.txt"]])).toBe("No ■ letters");
  });
});

describe("text that attacks its reader", () => {
  const text = "No file at /etc/motd\u0007";
  const sent = ["/etc/motd\u0007"];

  it("is never excused", () => {
    expect(rest(text, sent, [["hostile.control", "\u0007"]])).toBeUndefined();
    expect(rest(text, sent, [["hostile.tags", "\u0007"]], true)).toBeUndefined();
  });

  it("is not what only the decoded text has", () => {
    expect(rest(text, sent, [["hostile.control", "\u0007"]], true)).toBe("No file at □");
  });
});

describe("a match with words around what the caller sent", () => {
  it.each<[match: string, sent: string, rule: string, rest: string]>([
    ["phone number 030 1234567", "030 1234567", "personal.phone", "phone number ■"],
    ['phone "030 1234567"', "030 1234567", "personal.phone", 'phone "■"'],
    ["host (is) a.example", "a.example", "host.name", "host (is) ■"],
    ["host a.example is", "a.example", "host.name", "host ■ is"],
    ["table kqxv does not exist", "kqxv", "database.missing", "table □ does not exist"],
    ["value hunter2x9.", "hunter2x9", "credential.opaque", "value □."],
    ["/etc/motd: unknown file", "/etc/motd", "path.posix", "□: unknown file"],
  ])("is excused where these are ordinary: %s", (match, sent, rule, expected) => {
    expect(rest(match, [sent], [[rule, match]])).toBe(expected);
  });

  it.each<[why: string, match: string, sent: string, rule: string]>([
    ["a name before it", "phone kestrel 030 1234567", "030 1234567", "personal.phone"],
    ["a quoted value before it", 'phone "open" 030 1234567', "030 1234567", "personal.phone"],
    ["a value in single marks before it", "host 'is' a.example", "a.example", "host.name"],
    ["two words before it, of which one may be a name", "table orders kqxv", "kqxv", "database.missing"],
    ["a number after it", "host a.example was 7", "a.example", "host.name"],
    ["a name after it", "host a.example letters", "a.example", "host.name"],
    ["any word after a credential", "value hunter2x9 has", "hunter2x9", "credential.opaque"],
    ["a name after a path", "/etc/motd, kestrel", "/etc/motd", "path.posix"],
  ])("is not excused with %s", (_why, match, sent, rule) => {
    expect(rest(match, [sent], [[rule, match]])).toBeUndefined();
  });

  it("is not excused if it only touches or follows it", () => {
    expect(rest("a.example, b", ["a.example"], [["host.name", ", b"]])).toBeUndefined();
    expect(rest("a.example is here", ["a.example"], [["host.name", " is"]])).toBeUndefined();
    expect(rest("is a.example", ["a.example"], [["host.name", "is"]])).toBeUndefined();
    expect(rest("(a.example)", ["a.example"], [["host.name", "("]])).toBe("(■)");
  });

  it("is excused up to eighty characters before and after", () => {
    const front = (length: number) => "a ".repeat(40).slice(-length);
    const tail = (length: number) => ` ${"is ".repeat(40)}`.slice(0, length);
    const around = (text: string) => rest(text, ["a.example"], [["path.posix", text]]) !== undefined;
    expect([around(`${front(80)}a.example`), around(`a ${front(80)}a.example`)]).toStrictEqual([true, false]);
    const late = `${front(80)}host a.example`;
    expect(rest(late, ["a.example"], [["host.name", "host a.example"]])).toBe(`${front(80)}host ■`);
    expect([around(`a.example${tail(80)}`), around(`a.example${tail(81)}`)]).toStrictEqual([true, false]);
  });
});

describe("the rest of the text", () => {
  it("must be harmless, or be sent by the caller as well", () => {
    const path = ["path.posix", "/etc/motd"] as const;
    const text = "vault7 has no file /etc/motd";
    expect(rest(text, ["/etc/motd"], [path])).toBeUndefined();
    expect(rest(text, ["/etc/motd", "vault7"], [path])).toBe("□ has no file □");
    expect(rest("No file /etc/motd", ["/etc/motd", "file"], [path])).toBe("No file □");
  });

  it("may have a name that the caller sent", () => {
    const path = ["path.posix", "/etc/motd"] as const;
    expect(rest("No file /etc/motd for Kestrel.", ["/etc/motd"], [path])).toBeUndefined();
    expect(rest("No file /etc/motd for Kestrel.", ["/etc/motd", "Kestrel"], [path])).toBe("No file □ for □.");
  });

  it("may go on after the name of a file", () => {
    const path = ["path.posix", "/etc/motd"] as const;
    expect(rest("No vault7.txt letters for /etc/motd", ["vault7.txt", "/etc/motd"], [path])).toBe("No ■ letters for □");
    expect(rest("No vault7 letters for /etc/motd", ["vault7", "/etc/motd"], [path])).toBeUndefined();
  });

  it("must be ordinary words where a program wrote the text", () => {
    const text = "The class com.a.B is not found in zoology";
    expect(rest(text, ["com.a.B"], [["code.class", "com.a.B"]])).toBe("The class □ is not found in zoology");
    expect(rest(text, ["com.a.B"], [["code.error", "com.a.B"]])).toBeUndefined();
  });

  it("must not put two repetitions next to each other", () => {
    const sent = ["ann@a.example", "bob@a.example"];
    const matches = sent.map((address) => ["personal.email", address] as const);
    expect(rest("ann@a.example bob@a.example", sent, matches)).toBeUndefined();
    expect(rest("ann@a.example, bob@a.example", sent, matches)).toBe("■, ■");
  });

  it("has one mark for a repetition inside another, and two where they overlap", () => {
    expect(rest("No /etc/a.txt was here", ["/etc/a.txt", "/etc/a.txt was"], [["path.posix", "/etc/a.txt"]])).toBe(
      "No ■ was here",
    );
    expect(
      rest(
        "vault7 db-8",
        ["db-8", "vault7 db-8"],
        [
          ["id.name", "db-8"],
          ["id.name", "vault7 db-8"],
        ],
      ),
    ).toBe("■");
    expect(
      rest(
        "No vault7 db-8 x9q",
        ["vault7 db-8", "db-8 x9q"],
        [
          ["id.name", "vault7 db-8"],
          ["id.name", "db-8 x9q"],
        ],
      ),
    ).toBeUndefined();
  });
});

describe("a text that names a part of a database", () => {
  it("is excused if the caller sent that name", () => {
    const id = ["id.name", "appK3m"] as const;
    const text = "Table Order items not found in base appK3m";
    expect(rest(text, ["appK3m"], [id])).toBeUndefined();
    expect(rest(text, ["appK3m", "Order items"], [id])).toBe("Table Order items not found in base ■");
  });
});

describe("a text about access", () => {
  it("may say nothing but ordinary words besides what was sent", () => {
    const host = ["host.internal-name", "db.internal"] as const;
    expect(rest("db.internal refused user root with sommer", ["db.internal"], [host])).toBeUndefined();
    expect(rest("db.internal refused the user", ["db.internal"], [host])).toBe("■ refused the user");
    expect(rest("db.internal counted the zoology", ["db.internal"], [host])).toBe("■ counted the zoology");
  });
});

describe("a text with the name of a secret", () => {
  const code = ["credential.code", "code 918273"] as const;

  it("is excused if nothing else in it can be the secret", () => {
    expect(rest("The access code 918273 has expired", ["918273"], [code])).toBe("The access code □ has expired");
    expect(rest("The access code 918273 is closed", ["918273"], [code])).toBe("The access code □ is closed");
    expect(rest("The access code 918273 is open", ["918273"], [code])).toBeUndefined();
    expect(rest("The access code is open for 918273", ["918273"], [["credential.code", "918273"]])).toBeUndefined();
    expect(rest("The access code 918273 is not valid for Germany", ["918273"], [code])).toBeUndefined();
  });

  it("may not have two repetitions with marks between them", () => {
    const sent = ["918273", "12q"];
    const text = "The value 918273, 12q has expired";
    expect(
      rest(text, sent, [
        ["id.name", "918273"],
        ["id.name", "12q"],
      ]),
    ).toBe("The value ■, ■ has expired");
    expect(
      rest(text, sent, [
        ["credential.code", "value 918273"],
        ["credential.code", "12q"],
      ]),
    ).toBeUndefined();
  });

  it("is also one in which a rule for credentials matched more than what was sent", () => {
    const text = "The value hunter2x9 has expired in zoology";
    expect(rest(text, ["hunter2x9"], [["credential.opaque", "hunter2x9"]])).toBe("The value □ has expired in zoology");
    expect(rest(text, ["hunter2x9"], [["credential.opaque", "value hunter2x9"]])).toBeUndefined();
  });
});
