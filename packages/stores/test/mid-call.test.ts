// A process dies, or stops for longer than its deadline, in the middle of a call.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { ENGINES, startEngine } from "./support/engines.ts";
import { startWorker } from "./support/worker-process.ts";

describe.concurrent.each(ENGINES)(
  "in the middle of a call, with keys on %s, a process",
  { timeout: 120_000 },
  (name) => {
    it("meets a pause and a kill: the call is unknown to others, and is never made again", async ({
      expect,
      onTestFinished,
    }) => {
      const engine = await startEngine(name);
      const folder = mkdtempSync(join(tmpdir(), "stores-mid-call-"));
      for (const file of ["paid", "begun"]) writeFileSync(join(folder, file), "");
      const setup = { engine: name, url: engine.url, folder };
      const [first, second] = await Promise.all([startWorker(setup), startWorker(setup)]);
      onTestFinished(async () => {
        await Promise.all([first.kill(), second.kill()]);
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
        await expect.poll(async () => (await second.call(item)).kind).toBe("idempotency/outcome_unknown");
        expect(effects(item), how).toBe(0);
        if (how === "pause") {
          first.resume();
          await expect.poll(async () => (await second.call(item)).kind).toBe("done");
        }
        expect(effects(item), how).toBe(how === "pause" ? 1 : 0);
        await lost;
      }
    });
  },
);
