import { DIALECTS, detect } from "@recourse/core/dialects";
import { catalogue } from "@recourse/explain";
import { describe, expect, it } from "vitest";
import { sampleFault } from "../../scripts/generate/samples.ts";
import { encodeWires } from "./wires.ts";

describe("the wires of a reason", () => {
  it("are what the encoders write, for every reason", () => {
    for (const reason of Object.keys(catalogue)) {
      const wires = encodeWires(reason);
      expect(wires.map(({ name }) => name)).toEqual(Object.keys(DIALECTS));
      const fault = sampleFault(reason);
      for (const { name, text } of wires) {
        const body = text.slice(text.indexOf("{"));
        const wire = DIALECTS[name].encode(fault);
        expect(JSON.parse(body), `${reason} as ${name}`).toEqual(
          JSON.parse(JSON.stringify(name === "http" && "body" in wire ? wire.body : wire)),
        );
      }
    }
  });

  it("are read back as the reason, in MCP", () => {
    const [mcp] = encodeWires("transport/breaker_open");
    expect(detect(JSON.parse(mcp?.text ?? ""))?.fault.reason).toBe("transport/breaker_open");
  });

  it("show a reply over HTTP with its status and headers", () => {
    const http = encodeWires("core/rate_limited").find(({ name }) => name === "http");
    expect(http?.text).toMatch(/^HTTP\/1\.1 429\ncontent-type: application\/problem\+json\n\n\{\n {2}"type"/);
  });
});
