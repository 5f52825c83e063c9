import { fail } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { connectToPeer } from "../../../packages/core/test/peers/client/connect.ts";
import { fixedClock, fixedId, withoutIds } from "../fixed.ts";
import { done, failing, readBy, withKit } from "../shop.ts";
import { group } from "../situation.ts";

const READ = [{ name: "read_order", annotations: { readOnlyHint: true } }];
const trusting = { server: { trustAnnotations: true, tools: READ } };
const limited = core.rate_limited({}, { retry: { allowed: true, afterMs: 2_000 } });
const never = () => new Promise(() => {});

/** A call to the misbehaving peer over HTTP. */
const peer =
  (...steps: readonly string[]) =>
  async () => {
    const clock = fixedClock();
    const { now, sleep } = clock;
    const testing = { clock: { now, monotonic: now, sleep }, random: () => 0.5, createId: fixedId };
    const options = { testing };
    await using pair = await connectToPeer("v2 modern", { ...options, steps: steps as never });
    return withoutIds(readBy((await pair.mcp.call("charge", { amount: 1 })) as never));
  };

export const CLIENT = group("client", [
  {
    id: "retries",
    what: "three attempts, each refused by a rate limit",
    run: () => withKit({ does: failing(limited) }, ({ mcp }) => mcp.call("save_order") as never),
  },
  {
    id: "long-wait",
    what: "the server asks for a wait of 2 h, longer than the deadline",
    run: () => {
      const error = core.rate_limited({}, { retry: { allowed: true, afterMs: 7_200_000 } });
      return withKit({ does: failing(error) }, ({ mcp }) => mcp.call("save_order") as never);
    },
  },
  {
    id: "unsafe",
    what: "a writing call whose service became unreachable is not repeated",
    run: () => withKit({ does: failing(core.unavailable()) }, ({ mcp }) => mcp.call("save_order") as never),
  },
  {
    id: "safe-exhausted",
    what: "a read-only call of a trusted server, three attempts",
    run: () =>
      withKit({ does: failing(core.unavailable()), kit: trusting }, ({ mcp }) => mcp.call("read_order") as never),
  },
  {
    id: "breaker",
    what: "the breaker is open after five failures",
    run: () =>
      withKit({ does: failing(core.unavailable(), 10) }, async ({ mcp }) => {
        for (let i = 0; i < 5; i++) await mcp.conversation().call("save_order");
        return (await mcp.conversation().call("save_order")) as never;
      }),
  },
  {
    id: "loop",
    what: "the same call fails for the third time in a conversation",
    run: () =>
      withKit({ does: failing(fail.not_found`Order ${"7f3c"} does not exist.`) }, async ({ mcp }) => {
        for (let i = 0; i < 2; i++) await mcp.call("read_order");
        return (await mcp.call("read_order")) as never;
      }),
  },
  {
    id: "loop-limited",
    what: "a call that a rate limit refuses is made again by the model",
    run: () =>
      withKit({ does: failing(limited) }, async ({ mcp }) => {
        await mcp.call("save_order");
        return (await mcp.call("save_order")) as never;
      }),
  },
  {
    id: "late-write",
    what: "a writing call gets no answer in time",
    run: () =>
      withKit({ guarded: false, does: never, kit: { timeoutMs: 20 } }, ({ mcp }) => mcp.call("save_order") as never),
  },
  {
    id: "late-read",
    what: "a read-only call of a trusted server gets no answer in time, three times",
    run: () =>
      withKit(
        { guarded: false, does: never, kit: { ...trusting, timeoutMs: 20 } },
        ({ mcp }) => mcp.call("read_order") as never,
      ),
  },
  {
    id: "aborted",
    what: "the host aborts a call",
    run: () => {
      const stop = new AbortController();
      const does = (clock: { advance(ms: number): void }) => {
        clock.advance(700);
        stop.abort();
        return never();
      };
      return withKit({ does }, ({ mcp }) => mcp.call("save_order", {}, { signal: stop.signal }) as never);
    },
  },
  {
    id: "deadline-zero",
    what: "the deadline had passed before the call",
    run: () => withKit({ does: () => done }, ({ mcp }) => mcp.call("save_order", {}, { deadlineMs: 0 }) as never),
  },
  {
    id: "server-fault",
    what: "a guarded server names a missing order in its own words",
    run: () => {
      const does = failing(fail.not_found`Order ${"7f3c"} does not exist.`);
      return withKit({ does }, ({ mcp }) => mcp.call("read_order") as never);
    },
  },
  {
    id: "server-arguments",
    what: "a guarded server refuses an argument",
    run: () =>
      withKit({}, ({ mcp }) => mcp.call("create_order", { quantity: "2", size: "huge", customer: "a@b.ch" }) as never),
  },
  {
    id: "server-unknown-tool",
    what: "a guarded server does not have the tool",
    run: () => withKit({}, ({ mcp }) => mcp.call("creat_order") as never),
  },
  { id: "lost", what: "the connection is lost after a writing call was sent", run: peer("lost-socket") },
  {
    id: "503",
    what: "503 with Retry-After, three times",
    run: peer("503-retry-after", "503-retry-after", "503-retry-after"),
  },
  { id: "429", what: "429 with Retry-After, three times", run: peer("429-seconds", "429-seconds", "429-seconds") },
  { id: "502-page", what: "a gateway answers with a page", run: peer("502-html", "502-html", "502-html") },
  { id: "401", what: "the server refuses the credentials", run: peer("401-bare", "401-bare", "401-bare") },
]);
