import { EVERYDAY_SENTENCES } from "@recourse/test-kit/everyday-sentences";
import { expect, it } from "vitest";
import { detect } from "../../src/dialects/detect.ts";
import { severityOf, shouldReport } from "../../src/fault/severity.ts";
import { breakerSignals, readAttemptResponse } from "../../src/retry/breaker.ts";

/** What is guessed is at most a warning. */
const MORE_THAN_INFO = [
  "core/rate_limited",
  "core/timeout",
  "core/unavailable",
  "core/unsupported",
  "auth/access_denied",
  "auth/unauthorized",
];

it.each(EVERYDAY_SENTENCES)("%s: %s, no incident, and counted by no breaker", (text, reason) => {
  const fault = detect({ isError: true, content: [{ type: "text", text }] })?.fault;
  if (fault === undefined) return expect.unreachable();
  expect(fault).toMatchObject({ reason, effect: "possible", quote: { text, from: "peer" } });
  expect(severityOf(fault)).toBe(MORE_THAN_INFO.includes(reason) ? "warning" : "info");
  expect(shouldReport(fault, { textHidden: false })).toBe(false);
  const evidence = { response: readAttemptResponse(fault), waitedFully: true, severalLost: true };
  expect(breakerSignals(fault, evidence)).toEqual({ server: "success", tool: "success" });
});
