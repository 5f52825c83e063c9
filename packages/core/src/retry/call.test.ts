import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { describe, expect, it } from "vitest";
import { fail } from "../reasons/fail.ts";
import { reauthorizeInTime } from "./call.ts";
import type { Reauthorized } from "./decide.ts";

const fault = fail.unauthenticated`Who are you?`.fault;

/** Asks for a renewal that takes a second, and tells what came and when. */
async function renewal(leftMs: number, end: () => Promise<Reauthorized | undefined>, abortMs?: number) {
  const clock = new VirtualClock();
  const abort = new AbortController();
  if (abortMs !== undefined) clock.at(abortMs, () => abort.abort());
  const renew = async () => {
    await clock.sleep(1_000);
    return end();
  };
  const got = reauthorizeInTime({ fault, reauthorize: renew, leftMs, signal: abort.signal, sleep: clock.sleep }).then(
    (what) => ({
      what,
      at: clock.now(),
    }),
  );
  await clock.run();
  return { ...(await got), over: clock.now() };
}

describe("reauthorization", () => {
  it("returns what was obtained, and clears its timer", async () => {
    expect(await renewal(60_000, async () => "credentials")).toEqual({ what: "credentials", at: 1_000, over: 1_000 });
    expect(await renewal(Number.POSITIVE_INFINITY, async () => "approval")).toMatchObject({ what: "approval" });
  });

  it("returns nothing if it fails", async () => {
    const refuse = () => Promise.reject(new Error("no"));
    expect(await renewal(60_000, refuse)).toMatchObject({ what: undefined, at: 1_000 });
  });

  it("returns nothing if it throws at once", async () => {
    const renew = () => {
      throw new Error("no");
    };
    const { sleep } = new VirtualClock();
    await expect(
      reauthorizeInTime({ fault, reauthorize: renew, leftMs: 5, signal: undefined, sleep }),
    ).resolves.toBeUndefined();
  });

  it("returns nothing if the call has no more time", async () => {
    expect(await renewal(400, async () => "credentials")).toMatchObject({ what: undefined, at: 400 });
  });

  it("returns nothing if the call is aborted", async () => {
    expect(await renewal(60_000, async () => "credentials", 300)).toMatchObject({ what: undefined, at: 300 });
  });
});
