import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/retry/clock.ts";
import { fail } from "../reasons/fail.ts";
import type { Renewed } from "./decide.ts";
import { getRenewed, wantedBy } from "./renewal.ts";

const fault = fail.unauthenticated`Who are you?`.fault;

/** Asks for a renewal that takes a second, and tells what came and when. */
async function renewal(leftMs: number, end: () => Promise<Renewed | undefined>, abortMs?: number) {
  const clock = new VirtualClock();
  const abort = new AbortController();
  if (abortMs !== undefined) clock.at(abortMs, () => abort.abort());
  const renew = async () => {
    await clock.sleep(1_000);
    return end();
  };
  const got = getRenewed({ fault, renew, leftMs, signal: abort.signal, sleep: clock.sleep }).then((what) => ({
    what,
    at: clock.now(),
  }));
  await clock.run();
  return { ...(await got), over: clock.now() };
}

describe("what a failure waits for", () => {
  it("is known of two kinds", () => {
    expect(wantedBy(fault)).toBe("credentials");
    expect(wantedBy(fail.approval_required`Ask.`.fault)).toBe("approval");
    expect(wantedBy(fail.forbidden`No.`.fault)).toBeUndefined();
    expect(wantedBy(fail.overloaded`Busy.`.fault)).toBeUndefined();
  });
});

describe("a renewal", () => {
  it("gives what was got, and lets go of its timer", async () => {
    expect(await renewal(60_000, async () => "credentials")).toEqual({ what: "credentials", at: 1_000, over: 1_000 });
    expect(await renewal(Number.POSITIVE_INFINITY, async () => "approval")).toMatchObject({ what: "approval" });
  });

  it("gives nothing when it fails", async () => {
    const refuse = () => Promise.reject(new Error("no"));
    expect(await renewal(60_000, refuse)).toMatchObject({ what: undefined, at: 1_000 });
  });

  it("gives nothing when it throws at once", async () => {
    const renew = () => {
      throw new Error("no");
    };
    const { sleep } = new VirtualClock();
    await expect(getRenewed({ fault, renew, leftMs: 5, signal: undefined, sleep })).resolves.toBeUndefined();
  });

  it("gives nothing when the call has no more time", async () => {
    expect(await renewal(400, async () => "credentials")).toMatchObject({ what: undefined, at: 400 });
  });

  it("gives nothing when the call is aborted", async () => {
    expect(await renewal(60_000, async () => "credentials", 300)).toMatchObject({ what: undefined, at: 300 });
  });
});
