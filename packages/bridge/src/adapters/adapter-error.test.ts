import { describe, expect, it } from "vitest";
import { AdapterError } from "./adapter-error.ts";

describe("AdapterError", () => {
  it("carries an identifier, params and details", () => {
    const cause = new Error("private");
    const error = new AdapterError("SOLD_OUT", {
      params: { left: 2 },
      cause,
      effect: "none",
      retry: { allowed: false },
    });
    expect(error).toBeInstanceOf(Error);
    expect({ ...error }).toMatchObject({ identifier: "SOLD_OUT", params: { left: 2 }, effect: "none" });
    expect(error).toMatchObject({ name: "AdapterError", message: "SOLD_OUT", cause, retry: { allowed: false } });
    expect("cause" in new AdapterError("SOLD_OUT")).toBe(false);
  });

  it("is recognised whichever copy of the package made it", () => {
    expect(AdapterError.is(new AdapterError("SOLD_OUT"))).toBe(true);
    expect(AdapterError.is({ [Symbol.for("recourse/AdapterError")]: true, identifier: "SOLD_OUT" })).toBe(true);
  });

  it.each([
    ["an error", new Error("SOLD_OUT")],
    ["an object that looks like one", { name: "AdapterError", identifier: "SOLD_OUT" }],
    ["nothing", undefined],
    ["null", null],
    ["text", "SOLD_OUT"],
    ["an object that inherits from one", Object.create(new AdapterError("SOLD_OUT"))],
    [
      "a trap",
      new Proxy(
        {},
        {
          getOwnPropertyDescriptor() {
            throw new Error("hostile");
          },
        },
      ),
    ],
  ])("does not recognise %s", (_what, value) => {
    expect(AdapterError.is(value)).toBe(false);
  });
});
