import { describe, expect, it } from "vitest";
import { callerOf } from "./identity.ts";

describe("a caller", () => {
  it("is the subject within its client and issuer, whatever its token", () => {
    const caller = { client: "app", issuer: "https://a.example", subject: "ann" };
    const extra = { sub: "ann", iss: "https://a.example" };
    expect(callerOf({ clientId: "app", token: "1", extra })).toEqual(caller);
    expect(callerOf({ clientId: "app", token: "2", ...extra })).toEqual(caller);
  });

  it.each(["sub", "subject", "userId"])("is known by %s", (name) => {
    expect(callerOf({ clientId: "app", extra: { [name]: "ann" } })).toMatchObject({ subject: "ann" });
  });

  it("is told apart by its token where a client may serve many", () => {
    expect(callerOf({ clientId: "app", token: "1" })).not.toEqual(callerOf({ clientId: "app", token: "2" }));
  });

  it("is nobody where nobody asked", () => {
    expect(callerOf(undefined)).toEqual({ client: undefined, token: undefined });
  });
});
