import { describe, expect, it } from "vitest";
import { CHECKS } from "../checks/catalogue.ts";
import { callsOf } from "./calls.ts";

describe("callsOf", () => {
  const both = {
    text: "",
    code: "guardStdin(); // over stdio\nconst handler = guardHandler(createMcpHandler(createServer));",
  };

  it("names the calls that help on a transport", () => {
    expect(callsOf(both, "stdio")).toBe("guardStdin()");
    expect(callsOf(both, "http")).toBe("guardHandler(handler)");
    expect(callsOf({ text: "", code: 'guard(new McpServer({ name: "a", version: "1" }));' }, "http")).toBe(
      "guard(server)",
    );
  });

  it("does not name calls with options, nor code of other kinds", () => {
    expect(callsOf({ text: "", code: "guard(server, { deadlineMs: 5 })" }, "http")).toBeUndefined();
    expect(callsOf({ text: "", code: "guard(new McpServer(info), { deadlineMs: 5 })" }, "http")).toBeUndefined();
    expect(callsOf({ text: "", code: "process.exit(0);" }, "stdio")).toBeUndefined();
    expect(callsOf({ text: "By hand." }, "stdio")).toBeUndefined();
  });

  it("finds one call for most checks that the SDK causes", () => {
    const sdk = CHECKS.filter(({ source }) => source === "sdk");
    expect(sdk.filter(({ fix }) => callsOf(fix, "http") === undefined && callsOf(fix, "stdio") === undefined)).toEqual(
      [],
    );
  });
});
