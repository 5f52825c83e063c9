import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mcp } from "../../src/dialects/mcp/dialect.ts";
import { LEGAL_CODES, REVISIONS } from "../../src/wire/revisions.ts";
import * as any from "../arbitraries.ts";

const METHODS = [
  ...["tools/call", "tools/list", "resources/read", "resources/list", "prompts/get", "prompts/list"],
  ...["completion/complete", "server/discover", "initialize", "ping", "no/such", undefined],
] as const;

const codeOf = (wire: ReturnType<typeof mcp.encode>): number | undefined =>
  "error" in wire ? wire.error.code : undefined;

test("every reason has a code that the revision allows, on every revision and method", () => {
  for (const reason of any.ALL_REASONS) {
    for (const revision of REVISIONS) {
      for (const method of METHODS) {
        const wire = mcp.encode(reason.fault({}), { revision, method });
        const code = codeOf(wire);
        const where = `${reason.id} ${revision} ${method}`;
        if (code === undefined) expect("result" in wire && wire.result["isError"], where).toBe(true);
        else expect(LEGAL_CODES[revision], where).toContain(code);
        expect(code === undefined && method !== undefined && method !== "tools/call", where).toBe(false);
      }
    }
  }
});

test("any fault has a code that the revision allows", () => {
  fc.assert(
    fc.property(any.fault, fc.constantFrom(...REVISIONS), fc.constantFrom(...METHODS), (fault, revision, method) => {
      const code = codeOf(mcp.encode(fault, { revision, method }));
      expect(code === undefined || LEGAL_CODES[revision].includes(code)).toBe(true);
    }),
    { numRuns: runs() },
  );
});
