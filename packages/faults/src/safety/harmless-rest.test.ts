import { describe, expect, it } from "vitest";
import {
  COMPLETE_MARK,
  databaseNames,
  goesOn,
  hasNeighbours,
  isAboutAccess,
  isHarmlessRest,
  isHarmlessToken,
  namesSecret,
  possibleValues,
  REPEATED_MARK,
} from "./harmless-rest.ts";

describe("isHarmlessToken", () => {
  it.each([
    "file",
    "Germany",
    "HTML",
    "OAuth",
    "e-mail",
    "read-only",
    "list_channels",
    "order_id",
    "12",
    "3.5",
    "10s",
    "20MB",
    "2024-11-05",
    "Q3",
    "doesn't",
    "kestrel's",
    "(found).",
    "***",
    "$$$",
    "e-mails",
    "1234",
    "v2",
    "v12",
    "kqxv",
    "HTTPS",
    "XKCDS",
    "aBcD",
    "orderNumber",
    "create_abcdefgh_ijklmnop",
    "kestrelkestrelkestrelkes",
  ])("takes %j for harmless", (token) => expect(isHarmlessToken(token, "values")).toBe(true));

  it.each([
    "vault7",
    "db-7",
    "mail-gateway",
    "vault.corp",
    "a/b",
    "x@y",
    "918273",
    "918-273",
    "kqxvzbrt",
    "QmFzZUxpbmVU",
    "kQxVzBrT",
    "ledger_totals",
    "C:\\x",
    "$$$$",
    "12345",
    "1234.567",
    "Kqxvz",
    "kqxvZ",
    "kestrel-e-mail",
    "e-mail-kestrel",
    "1234%5",
    "v123",
    "kqxvz",
    "orderLedgers",
    "aBcDeFg",
    "read-kestrel",
    "create_abcdefgh_ijklmnopq",
    "kestrelkestrelkestrelkest",
    "%68",
  ])("does not take %j for harmless", (token) => expect(isHarmlessToken(token, "values")).toBe(false));

  it.each(["Germany", "kestrel", "kestrel's", "Q3", "2024", "2024-11-05", "mail-gateway", "get_ledger"])(
    "does not take %j for an ordinary word",
    (token) => expect(isHarmlessToken(token, "words")).toBe(false),
  );

  it.each(["file", "Files", "expired", "matching", "file's", "123", "10s", "e-mail", "list_files"])(
    "takes %j for an ordinary word",
    (token) => expect(isHarmlessToken(token, "words")).toBe(true),
  );
});

describe("isHarmlessRest", () => {
  const rest = (text: string, strictness: "values" | "words" = "values") =>
    isHarmlessRest(text.replaceAll("#", REPEATED_MARK).replaceAll("$", COMPLETE_MARK), strictness);

  it("lets a sentence go on after a repetition, but not a name or a path", () => {
    expect(rest("No file at # was found")).toBe(true);
    expect(rest("open # letters")).toBe(false);
    expect(rest("open #, letters")).toBe(true);
    expect(rest("$ left the company")).toBe(true);
    expect(rest("$ Meier")).toBe(false);
    expect(rest("$ File")).toBe(true);
    expect(rest('("$ Meier')).toBe(false);
    expect(rest("#\n letters")).toBe(false);
  });

  it("takes a name within a sentence for what the caller did not send", () => {
    expect(rest("# belongs to John Smith")).toBe(false);
    expect(rest("# is not valid for Germany")).toBe(false);
    expect(rest("# belongs to (John) Smith.")).toBe(false);
    expect(rest("# is not for us. Smith is")).toBe(true);
    expect(rest("Kestrel is not for #")).toBe(true);
    expect(rest("# is in the File kestrel")).toBe(true);
    expect(rest("# is an HTML file")).toBe(true);
  });

  it("takes what follows words such as `with` for a value, unless it is an ordinary word", () => {
    expect(rest("# opens with kestrel")).toBe(false);
    expect(rest("# was 4839")).toBe(false);
    expect(rest("# opens with files")).toBe(true);
    expect(rest("# is quarantined")).toBe(true);
  });

  it("knows where parts of a database are named", () => {
    expect(databaseNames('The column file of the table "orders" is new')).toEqual([11, 30]);
    expect(databaseNames("The table is too long")).toEqual([]);
  });

  it("knows sentences about access", () => {
    expect(["the user root was refused", "ann cannot sign in"].filter(isAboutAccess)).toHaveLength(2);
    expect(["the file is too long", "no results"].filter(isAboutAccess)).toEqual([]);
  });

  it("looks at what stands in one token with a repetition", () => {
    expect(rest('{"email":"#"}')).toBe(true);
    expect(rest('{"kestrel":"#"}')).toBe(false);
    expect(rest('{"email":"#","name":"kestrel"}')).toBe(false);
  });
});

describe("names of secrets", () => {
  it("are known in several languages", () => {
    for (const text of ["the Password", "api key", "OTP", "Passwort", "пароль", "密码"])
      expect(namesSecret(text)).toBe(true);
    for (const text of ["passed", "a passenger", "the key", "spinning", "passport"])
      expect(namesSecret(text)).toBe(false);
  });

  it("may be followed by the secret", () => {
    expect(possibleValues("password open")).toStrictEqual([9]);
    expect(possibleValues("The password for ann is open")).toStrictEqual([24]);
    expect(possibleValues("The password reset link has expired")).toStrictEqual([]);
    expect(possibleValues("password open, secret letters")).toStrictEqual([9, 22]);
    expect(possibleValues("The password of ann")).toStrictEqual([]);
    expect(possibleValues("The password token")).toStrictEqual([]);
  });
});

it("goes on with words of a sentence", () => {
  for (const words of [" was found", ", which", " expires in", "\tclosed", "", "."]) expect(goesOn(words)).toBe(true);
  for (const words of [" letters", " expire", " kestreled", " Was", ' "open"', " 7"]) expect(goesOn(words)).toBe(false);
});

it("sees repetitions next to each other", () => {
  const near = `${REPEATED_MARK} ${COMPLETE_MARK}`;
  const apart = `${REPEATED_MARK}, ${COMPLETE_MARK}`;
  expect(hasNeighbours(near, { marksBetween: false })).toBe(true);
  expect(hasNeighbours(apart, { marksBetween: false })).toBe(false);
  expect(hasNeighbours(apart, { marksBetween: true })).toBe(true);
  expect(hasNeighbours(`${REPEATED_MARK} and ${COMPLETE_MARK}`, { marksBetween: true })).toBe(false);
});
