// A process dies, or stops for longer than its deadline, in the middle of a call.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, ENGINES, startEngine } from "./support/engines.ts";
import { startTill } from "./support/till.ts";
import { connectTill, startWorker } from "./support/worker-process.ts";

/** No call becomes late but where a test lets time pass. */
const LIMITS = { deadlineMs: 600_000, leaseMs: 3_600_000 } as const;

describe.each(ENGINES)("in the middle of a call, with keys on %s, a process", (name) => {
  it("meets a pause and a kill: the call is unknown to others, and is never made again", async () => {
    const engine = await startEngine(name);
    const connected = await connect(name, engine.url);
    const folder = mkdtempSync(join(tmpdir(), "stores-mid-call-"));
    for (const file of ["paid", "begun"]) writeFileSync(join(folder, file), "");
    const setup = { engine: name, url: engine.url, folder, ...LIMITS };
    const [first, till] = await Promise.all([startWorker(setup), startTill(setup)]);
    const second = await connectTill(till.url);
    onTestFinished(async () => {
      await first.kill();
      await second.close();
      await till.close();
      await connected.close();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const effects = (item: string) => readFileSync(join(folder, "paid"), "utf8").split(`${item}\n`).length - 1;
    for (const how of ["pause", "kill"] as const) {
      // This tool waits for a file before it makes its effect, so that the process is met before it.
      const item = `pay-late ${how}`;
      const lost = first.call(item);
      await expect.poll(() => readFileSync(join(folder, "begun"), "utf8")).toContain(`${item}\n`);
      if (how === "kill") await first.kill();
      else first.pause();
      writeFileSync(join(folder, `go ${item}`), "");
      expect((await second.call(item)).kind, how).toBe("idempotency/in_progress");
      await connected.age(LIMITS.leaseMs);
      expect((await second.call(item)).kind, how).toBe("idempotency/outcome_unknown");
      expect(effects(item), how).toBe(0);
      if (how === "pause") {
        first.resume();
        await expect.poll(async () => (await second.call(item)).kind).toBe("done");
      }
      expect(effects(item), how).toBe(how === "pause" ? 1 : 0);
      await lost;
    }
  });
});
