// Waiting for what another program or the network does, while the clock of the test stands still.
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 10;
/** Half a minute and more, however slow the machine is. */
const MAX_LOOKS = 3_000;

/**
 * Waits until a check does not throw, and gives what it returns. Fake timers stand still meanwhile: `expect.poll` and `vi.waitFor`
 * let their time pass.
 *
 * @example
 * vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
 * await eventually(() => expect(server.received).toHaveLength(1));
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    try {
      return await check();
    } catch (error) {
      if (looks === MAX_LOOKS) throw error;
    }
    // The pause between two looks.
    await sleep(PAUSE_MS);
  }
}
