import { describe, expect, it } from "vitest";
import { callerFacts, readIdText } from "./identity.ts";

describe("a caller", () => {
  it("is the subject within issuer, tenant and client, whatever its token", () => {
    const extra = { sub: "ann", iss: "https://a.example", tid: "acme" };
    const facts = [
      ["iss", "https://a.example"],
      ["tid", "acme"],
      ["clientId", "app"],
      ["sub", "ann"],
    ];
    expect(callerFacts({ clientId: "app", token: "1", extra })).toEqual(facts);
    expect(callerFacts({ clientId: "app", token: "2", ...extra })).toEqual(facts);
  });

  it("is its token where a client may serve many", () => {
    expect(callerFacts({ clientId: "app", token: "1", sub: "" })).toEqual([
      ["clientId", "app"],
      ["token", "1"],
    ]);
  });

  it.each([
    ["sub before id", { id: 1, sub: "ann" }, ["sub", "ann"]],
    ["the user before the object around it", { id: "app", user: { id: 7 } }, ["id", "7"]],
    ["the object before its session", { id: 7, session: { id: "s" } }, ["id", "7"]],
    ["a user in a session", { session: { id: "s", user: { id: 7 } } }, ["id", "7"]],
  ])("has the most exact name that is there: %s", (_what, auth, fact) => {
    expect(callerFacts(auth)).toEqual([fact]);
  });

  it("is in every tenant that is named", () => {
    const auth = { sub: "ann", account: "a", workspace: { slug: "w" }, organization: { id: 7 }, team: {} };
    expect(callerFacts(auth)).toEqual([
      ["organization", "7"],
      ["account", "a"],
      ["workspace", "w"],
      ["sub", "ann"],
    ]);
  });

  it.each([undefined, null, "ann", 7, {}, [], { token: "" }, { clientId: "app", iss: "i" }, { extra: { sub: null } }])(
    "is nobody in %j",
    (auth) => {
      expect(callerFacts(auth)).toBeUndefined();
    },
  );

  it("is found although members throw, and although an object contains itself", () => {
    const auth = {
      email: "ann@example.com",
      get sub(): string {
        throw new Error("not set");
      },
      get user(): unknown {
        return auth;
      },
    };
    expect(callerFacts(auth)).toEqual([["email", "ann@example.com"]]);
  });
});

describe("the text of an id", () => {
  it.each([
    ["ann", "ann"],
    [7, "7"],
    ["7", "7"],
    [7n, "7"],
    [0, "0"],
    [-0, "0"],
    [2n ** 70n, "1180591620717411303424"],
  ])("is the same for a number and its text: %s", (value, text) => {
    expect(readIdText(value)).toBe(text);
  });

  it.each(["", " \n", Number.NaN, 1.5, 2 ** 53, Number.POSITIVE_INFINITY, true, null, undefined, {}, ["ann"]])(
    "is absent for %j",
    (value) => {
      expect(readIdText(value)).toBeUndefined();
    },
  );
});
