import { describe, expect, it } from "vitest";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import { fixCalls } from "./fix-calls.ts";

describe("fixCalls", () => {
  const both = {
    text: "",
    code: "guardStdin(); // over stdio\nconst handler = guardHandler(createMcpHandler(createServer));",
  };

  it("names the calls that help on a transport", () => {
    expect(fixCalls(both, "stdio")).toBe("guardStdin()");
    expect(fixCalls(both, "http")).toBe("guardHandler(handler)");
    expect(fixCalls({ text: "", code: 'guard(new McpServer({ name: "a", version: "1" }));' }, "http")).toBe(
      "guard(server)",
    );
  });

  it("does not name calls with options, nor code of other kinds", () => {
    expect(fixCalls({ text: "", code: "guard(server, { deadlineMs: 5 })" }, "http")).toBeUndefined();
    expect(fixCalls({ text: "", code: "guard(new McpServer(info), { deadlineMs: 5 })" }, "http")).toBeUndefined();
    expect(fixCalls({ text: "", code: "process.exit(0);" }, "stdio")).toBeUndefined();
    expect(fixCalls({ text: "By hand." }, "stdio")).toBeUndefined();
  });

  it("finds one call for most checks that the SDK causes", () => {
    const sdk = PROBE_CHECKS.filter(({ source }) => source === "sdk");
    expect(
      sdk.filter(({ fix }) => fixCalls(fix, "http") === undefined && fixCalls(fix, "stdio") === undefined),
    ).toEqual([]);
  });
});
