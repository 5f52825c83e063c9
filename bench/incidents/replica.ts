// One replica of the bench: pushes incidents at a rate, reports its counts, and ends when its parent asks it to.
import { openSync, writeSync } from "node:fs";
import { openBenchIncidents, pushAtRate } from "./push.ts";

const [url = "", name = "", rate = "0", file = "", kind = ""] = process.argv.slice(2);
const incidents = await openBenchIncidents(url);
const log = openSync(file, "w");
const rssBefore = process.memoryUsage.rss();
let maxRss = rssBefore;
let maxWaiting = 0;
const watch = setInterval(() => {
  maxRss = Math.max(maxRss, process.memoryUsage.rss());
  maxWaiting = Math.max(maxWaiting, incidents.state.waiting);
}, 20);
process.send?.("ready");
let cpuBefore = process.cpuUsage();
let flow: ReturnType<typeof pushAtRate> | undefined;
process.on("message", async (message) => {
  if (message === "start") {
    // What was pushed is on record before a kill can lose it.
    const onSlice = (pushed: number) => writeSync(log, `${pushed} ${Date.now()}\n`);
    cpuBefore = process.cpuUsage();
    flow = pushAtRate(incidents, { rate: Number(rate), tenant: name, outage: kind === "outage", onSlice });
    return;
  }
  const pushed = flow?.stop() ?? 0;
  const { waiting } = incidents.state;
  const stoppedAt = performance.now();
  // An outage may have ended just now.
  for (let round = 0; round < 600 && incidents.state.waiting > 0; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const emptyAfterMs = performance.now() - stoppedAt;
  clearInterval(watch);
  await incidents.end();
  const { dropped } = incidents.state;
  const cpuUs = process.cpuUsage(cpuBefore);
  process.send?.({
    pushed,
    dropped,
    waiting,
    maxWaiting,
    emptyAfterMs,
    rssBefore,
    maxRss,
    cpuMs: (cpuUs.user + cpuUs.system) / 1_000,
  });
  process.disconnect();
});
