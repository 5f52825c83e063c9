import { describe, expect, it } from "vitest";
import { callerFacts } from "./identity.ts";

describe("a caller", () => {
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
