// Law 4 for what only reads: any JSON in, a frozen fault or nothing out; those that read caught errors stand hostile objects, too.
import fc from "fast-check";
import { expect, test } from "vitest";
import { detect, fastmcp, sdk, text } from "../../src/dialects/index.ts";
import type { Fault } from "../../src/index.ts";
import * as any from "../arbitraries.ts";
import { runs } from "../runs.ts";

const READERS: Record<string, (wire: unknown) => Fault | undefined> = {
  sdk: (wire) => sdk.decode(wire),
  fastmcp: (wire) => fastmcp.decode(wire),
  text: (wire) => text.decode(wire),
  detect: (wire) => detect(wire)?.fault,
};

const SENTENCES = [
  "MCP error -32602: ",
  "Tool ",
  "Error calling tool '",
  "1 validation error for call[x]\n",
  "Unknown tool: ",
];
const sentence = fc.tuple(fc.constantFrom(...SENTENCES, ""), any.text).map(([head, tail]) => head + tail);
const wire = fc.oneof(
  any.json,
  sentence.map((said) => ({ result: { content: [{ type: "text", text: said }], isError: true } })),
  fc.record({
    error: fc.record({
      code: fc.constantFrom(-32000, -32001, -32002, -32602, -32603, 0, 7),
      message: sentence,
      data: any.json,
    }),
  }),
  fc.record({
    name: fc.constantFrom("SdkError", "McpError", "SdkHttpError", "TypeError"),
    code: any.json,
    message: sentence,
    data: any.json,
    cause: any.json,
  }),
  fc.record({ status: fc.integer({ min: 100, max: 599 }), headers: any.json, body: any.json }),
);

for (const [name, read] of Object.entries(READERS)) {
  test(`${name}, law 4: decoding never throws, and gives a frozen fault or nothing`, () => {
    fc.assert(
      fc.property(wire, (json) => {
        const fault = read(json);
        expect(fault === undefined || (fault.v === 1 && Object.isFrozen(fault))).toBe(true);
        expect(read(json)).toEqual(fault);
      }),
      { numRuns: runs() },
    );
  });

  if (name !== "sdk" && name !== "detect") continue;
  test(`${name}: nor on a hostile object`, () => {
    fc.assert(
      fc.property(any.hostile, (box) => {
        expect(() => read(box.value)).not.toThrow();
      }),
      { numRuns: runs(200) },
    );
  });
}
