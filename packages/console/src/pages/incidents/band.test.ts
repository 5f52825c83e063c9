import { expect, test } from "vitest";
import type { Incident } from "../../api/types.ts";
import { bandSentence } from "./band.ts";

type Sample = NonNullable<Incident["sample"]>;

function incident(effect: Incident["effect"], sample?: Partial<Sample>, members: Partial<Incident> = {}): Incident {
  return {
    ...{ id: "01M7K7RE4ST7GE86F8QRXY0849", at: "2026-11-16T14:30:33.000Z", fingerprint: "7b1d445dcd8e" },
    ...{ reason: "transport/connection_lost", kind: "unavailable", ...(effect !== undefined && { effect }) },
    ...(sample && {
      sample: { fault: { kind: "unavailable", reason: "r/r", basis: "stated" }, causes: [], ...sample },
    }),
    ...members,
  };
}

const fault = (members: object) => ({ fault: { kind: "unavailable", reason: "r/r", basis: "stated", ...members } });

test.each<[Incident, string]>([
  [incident("none", { sent: "nothing" }), "Nothing was done. The call was not sent. It may be made again."],
  [incident("none", { endedAt: "limits" }), "Nothing was done. The call was not sent. It may be made again."],
  [
    incident("none", { sent: "all", endedAt: "judge" }),
    "Nothing was done. The upstream refused it before doing anything. It may be made again.",
  ],
  [
    incident("none", { sent: "nothing", ...fault({ retry: { allowed: true, afterMs: 65_000 } }) }),
    "Nothing was done. The call was not sent. It may be made again after 1 min 05 s.",
  ],
  [
    incident("none", { sent: "all", ...fault({ recourse: [{ do: "retry", afterMs: 12_000 }] }) }),
    "Nothing was done. The upstream refused it before doing anything. It may be made again after 12 s.",
  ],
  [
    incident("none", { sent: "all", ...fault({ retry: { allowed: false } }) }),
    "Nothing was done. The upstream refused it before doing anything.",
  ],
  [incident("none", { endedAt: "attempt" }), "Nothing was done. It may be made again."],
  [incident("none"), "Nothing was done. It may be made again."],
  [
    incident("possible", { sent: "all", keyed: false }),
    "The call may have taken effect. The request had left the gateway, and no answer came back. It had no idempotency key: do not repeat it before you know the state.",
  ],
  [
    incident("possible", { keyed: true }, { kind: "timeout" }),
    "The call may have taken effect. The request had left the gateway, and no answer came back. It had an idempotency key: repeating it with the key is safe.",
  ],
  [
    incident("possible", { keyed: false }, { kind: "internal" }),
    "The call may have taken effect. The upstream answered with an error that does not say. It had no idempotency key: do not repeat it before you know the state.",
  ],
  [
    incident("possible", fault({ basis: "guessed" })),
    "The call may have taken effect. It was guessed from a text. Do not repeat it before you know the state.",
  ],
  [incident("possible"), "The call may have taken effect. Do not repeat it before you know the state."],
  [incident("applied"), "The call took effect, and its answer was lost. Do not repeat it."],
  [
    incident(undefined),
    "It is not known whether the call took effect. This incident is older than the version of the gateway that records it.",
  ],
  [
    incident(undefined, fault({ effect: "applied" })),
    "The call took effect, and its answer was lost. Do not repeat it.",
  ],
])("%#", (of, sentence) => {
  const { first, rest } = bandSentence(of);
  expect(`${first} ${rest}`).toBe(sentence);
});
