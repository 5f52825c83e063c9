import { readdir } from "node:fs/promises";
import { totalmem } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Meter } from "@opentelemetry/api";

/** How often the delay of the event loop is measured, in ms. */
const RESOLUTION_MS = 20;
const QUANTILES = ["0.5", "0.99"] as const;

/** Shows what the process uses. Gives the function that ends it. */
export function showProcess(meter: Meter): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  /** What the last collection showed: nothing was measured if the next one follows at once. */
  let last: readonly number[] = QUANTILES.map(() => 0);
  meter
    .createObservableGauge("nodejs.eventloop.delay_seconds", {
      description: "How late the event loop was since the last collection, by quantile.",
      unit: "s",
    })
    .addCallback((result) => {
      if (delays.count > 0) {
        // What is measured is the time between two ticks of a timer.
        last = QUANTILES.map((quantile) =>
          Math.max(0, delays.percentile(Number(quantile) * 100) / 1e9 - RESOLUTION_MS / 1_000),
        );
        delays.reset();
      }
      for (const [at, quantile] of QUANTILES.entries()) result.observe(last[at] ?? 0, { quantile });
    });
  meter
    .createObservableGauge("nodejs.heap_used_bytes", {
      description: "Memory that JavaScript values use, with what is not collected yet.",
      unit: "By",
    })
    .addCallback((result) => result.observe(process.memoryUsage().heapUsed));
  meter
    .createObservableGauge("process.resident_memory_bytes", {
      description: "Memory of the process.",
      unit: "By",
    })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  meter
    .createObservableGauge("recourse.memory_limit_bytes", {
      description: "Memory that the process may use: the limit of its container, else that of the machine.",
      unit: "By",
    })
    .addCallback((result) => result.observe(memoryLimit()));
  meter
    .createObservableCounter("process.cpu_seconds", {
      description: "Processor time of the process, in all of its threads.",
      unit: "s",
    })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe((user + system) / 1e6);
    });
  meter
    .createObservableGauge("process.open_fds", { description: "Files and connections that the process has open." })
    .addCallback(async (result) => {
      const open = await openFiles();
      if (open !== undefined) result.observe(open);
    });
  return () => delays.disable();
}

/** A process without a limit is told 0 or more than any machine has. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Undefined if the system does not list them. */
async function openFiles(): Promise<number | undefined> {
  try {
    // The folder that is read is open, too.
    return (await readdir("/proc/self/fd")).length - 1;
  } catch {
    return undefined;
  }
}
