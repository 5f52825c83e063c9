// Invariants of dialects that only decode: any JSON in, a frozen fault or undefined out. Those that decode thrown errors also
// stand hostile objects.

import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { detect, fastmcp, sdk, text } from "../../../src/dialects/index.ts";
import type { Fault } from "../../../src/index.ts";
import * as any from "../../arbitraries.ts";

const DECODERS: Record<string, (wire: unknown) => Fault | undefined> = {
  sdk: (wire) => sdk.decode(wire),
  fastmcp: (wire) => fastmcp.decode(wire),
  text: (wire) => text.decode(wire),
  detect: (wire) => detect(wire)?.fault,
};

const PREFIXES = [
  "MCP error -32602: ",
  "Tool ",
  "Error calling tool '",
  "1 validation error for call[x]\n",
  "Unknown tool: ",
];
const message = fc.tuple(fc.constantFrom(...PREFIXES, ""), any.text).map(([head, tail]) => head + tail);
const wire = fc.oneof(
  any.json,
  message.map((value) => ({ result: { content: [{ type: "text", text: value }], isError: true } })),
  fc.record({
    error: fc.record({
      code: fc.constantFrom(-32000, -32001, -32002, -32602, -32603, 0, 7),
      message,
      data: any.json,
    }),
  }),
  fc.record({
    name: fc.constantFrom("SdkError", "McpError", "SdkHttpError", "TypeError"),
    code: any.json,
    message,
    data: any.json,
    cause: any.json,
  }),
  fc.record({ status: fc.integer({ min: 100, max: 599 }), headers: any.json, body: any.json }),
);

for (const [name, decode] of Object.entries(DECODERS)) {
  test(`${name}: decoding never throws, and gives a frozen fault or undefined`, () => {
    fc.assert(
      fc.property(wire, (json) => {
        const fault = decode(json);
        expect(fault === undefined || (fault.v === 1 && Object.isFrozen(fault))).toBe(true);
        expect(decode(json)).toEqual(fault);
      }),
      { numRuns: runs() },
    );
  });

  if (name !== "sdk" && name !== "detect") continue;
  test(`${name}: decoding a hostile object never throws`, () => {
    fc.assert(
      fc.property(any.hostile, (box) => {
        expect(() => decode(box.value)).not.toThrow();
      }),
      { numRuns: runs(200) },
    );
  });
}
