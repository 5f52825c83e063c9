import { describe, expect, it } from "vitest";
import { KINDS, type StatedKind } from "../fault/kinds.ts";
import { fail } from "../reasons/fail.ts";
import { unrecognised } from "../reasons/library/core.ts";
import { breaker_open, not_connected } from "../reasons/library/transport.ts";
import { evidenceOf } from "./evidence.ts";

const FAILING = ["overloaded", "timeout", "unavailable", "upstream_failed", "internal"];
const kinds = Object.keys(KINDS).filter((kind) => kind !== "unknown" && kind !== "cancelled") as StatedKind[];

describe("what a failure says about the server", () => {
  it.each(kinds)("%s", (kind) => {
    expect(evidenceOf(fail[kind]`It failed.`.fault)).toBe(FAILING.includes(kind) ? "failing" : "alive");
  });

  it("is nothing when it was cancelled, not understood, or guessed", () => {
    expect(evidenceOf(fail.cancelled`Gone.`.fault)).toBe("nothing");
    expect(evidenceOf(unrecognised.fault())).toBe("nothing");
    expect(evidenceOf(fail.unavailable({ basis: "guessed" })`Gone.`.fault)).toBe("nothing");
    expect(evidenceOf(fail.not_found({ basis: "guessed" })`Gone.`.fault)).toBe("nothing");
  });

  it("is nothing when the client itself refused, but a timeout that the client noticed counts", () => {
    expect(evidenceOf(breaker_open.fault())).toBe("nothing");
    expect(evidenceOf(not_connected.fault())).toBe("nothing");
    expect(evidenceOf(fail.invalid_input({ origin: { layer: "client" } })`Wrong.`.fault)).toBe("nothing");
    expect(evidenceOf(fail.timeout({ origin: { layer: "client" } })`Late.`.fault)).toBe("failing");
  });
});
