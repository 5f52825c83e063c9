// Where defects show, so that the short check need not send everything to each of them.
import type { StimulusName } from "../../src/recording/stimuli.ts";

/** Groups of stimuli that every defect gets: most show there, and the others must not. */
const ALWAYS: readonly StimulusName[] = ["unknown-tool", "valid-call"];

/** Other groups, and the defects that show in one of them only. */
const OTHERS: Partial<Readonly<Record<StimulusName, readonly string[]>>> = {
  "unknown-method": ["unknown-method-code", "no-hang"],
  "wrong-arguments": [
    "leak-echo-secret",
    "stable-identity",
    "args-checked-first",
    "args-name-field",
    "args-refused",
    "args-name-all",
    "args-say-expected",
    "unknown-key-refused",
    "args-channel",
  ],
  "prototype-name": ["prototype-names"],
  "misspelt-tool": ["unknown-tool-suggests"],
  "long-tool-name": ["code-process", "message-says-something", "echo-bounded"],
  "hostile-tool-name": ["echo-control"],
  "unknown-resource": ["resource-not-found-code", "resource-failure-channel"],
  "unknown-prompt": ["no-crash", "prompt-not-found-code"],
  "unknown-completion": ["retry-after", "completion-ref-code"],
  "odd-id": ["id-kept"],
  notification: ["notification-silent"],
  "malformed-params": [
    "code-integer",
    "code-reserved",
    "code-legacy-range",
    "invalid-params-code",
    "message-sentence",
    "message-prefix",
  ],
  "prompt-argument": ["prompt-argument-code"],
  concurrent: ["concurrent-answers"],
  "unknown-version": ["version-negotiated", "version-detail"],
  "http-edge": ["http-error-json", "http-no-5xx", "http-status", "session-404", "http-origin", "http-host"],
  credentials: ["auth-challenge", "auth-invalid-401", "auth-opaque", "auth-metadata"],
  "malformed-message": ["invalid-request-answered", "parse-error-answered", "utf8-refused"],
  "deep-json": ["deep-json"],
  "long-message": ["http-after-refusal", "line-limit", "body-limit"],
  "close-stdin": ["exit-on-close"],
};

/** The groups that are enough to find a defect. */
export function groupsFor(defect: string): readonly StimulusName[] {
  const others = Object.entries(OTHERS).filter(([, defects]) => defects.includes(defect));
  return [...ALWAYS, ...others.map(([name]) => name as StimulusName)];
}
