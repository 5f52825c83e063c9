// Whatever comes in whatever order: each question has one answer, each leg gets one step, and the outcome goes to one place.
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fromFlags, NO_ABILITIES } from "../call/abilities.ts";
import type { HeldOutcome } from "../call/call.ts";
import { HeldCall, type HeldLeg, type HeldStep } from "./held-call.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ALL = fromFlags("fusr");
const DONE: HeldOutcome = { answer: Buffer.from("{}") };

interface TestLeg extends HeldLeg {
  readonly given: HeldStep[];
  isGone: boolean;
}

const ACTION = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("ask" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("withdraw" as const), at: fc.nat(20) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("join" as const),
      keys: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
      canBeAsked: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("tick" as const) }) },
);

it("keeps its promises", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ACTION, { maxLength: 40 }), fc.boolean(), async (actions, isKept) => {
      const legs: TestLeg[] = [];
      const newLeg = (abilities = ALL): TestLeg => {
        const leg: TestLeg = {
          abilities,
          given: [],
          isGone: false,
          give(step) {
            if (!leg.isGone) leg.given.push(step);
            return !leg.isGone;
          },
          notify() {},
        };
        legs.push(leg);
        return leg;
      };
      const ended: true[] = [];
      const aborts: true[] = [];
      const held = new HeldCall({
        id: "h",
        caller: "c",
        isKept,
        first: newLeg(),
        abort: () => void aborts.push(true),
        onEnd: () => void ended.push(true),
      });
      const answers: string[][] = [];
      const signals: AbortController[] = [];
      let waiting: TestLeg | undefined = legs[0];
      const hasStep = (leg: TestLeg | undefined) => (leg?.given.length ?? 0) > 0;
      for (const action of actions) {
        switch (action.do) {
          case "ask": {
            const mine: string[] = [];
            const signal = new AbortController();
            answers.push(mine);
            signals.push(signal);
            const params = Buffer.from("{}");
            const question = { method: "elicitation/create", params, upstream: "up", signal: signal.signal };
            void held.ask(question).then((answer) => mine.push(JSON.stringify(answer)));
            break;
          }
          case "withdraw":
            signals[action.at]?.abort();
            break;
          case "join": {
            const leg = newLeg(action.canBeAsked ? ALL : NO_ABILITIES);
            const isFree = waiting === undefined || hasStep(waiting);
            const isTaken = held.join(leg, new Map(action.keys.map((key) => [`q${key}`, Buffer.from("{}")])));
            expect(isTaken).toBe(isFree);
            if (isTaken) waiting = leg;
            else leg.isGone = true;
            break;
          }
          case "leave":
            // The response of the call itself ends the call in another way.
            if (waiting !== undefined && waiting !== legs[0] && !hasStep(waiting)) {
              waiting.isGone = true;
              held.leave(waiting);
              waiting = undefined;
            }
            break;
          case "tick":
            await vi.advanceTimersByTimeAsync(20);
            break;
          default:
            action satisfies never;
        }
        for (const mine of answers) expect(mine.length).toBeLessThanOrEqual(1);
        for (const leg of legs) expect(leg.given.length).toBeLessThanOrEqual(1);
      }
      const isWaited = waiting !== undefined && !hasStep(waiting);
      const isOwn = !held.isAnswered;
      held.end(isOwn ? undefined : DONE);
      held.end(DONE);
      await vi.advanceTimersByTimeAsync(20);
      expect(ended).toEqual([true]);
      expect(legs.filter((leg) => leg.given.includes(DONE))).toHaveLength(!isOwn && isWaited ? 1 : 0);
      for (const mine of answers) expect(mine).toHaveLength(1);
      for (const leg of legs) expect(leg.given.length).toBeLessThanOrEqual(1);
      if (isKept) expect(aborts).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: runs(200) },
  );
});
