// One replica of the gateway, in a process of its own. Usage: node replica.ts <configuration as JSON>
import { type GatewayConfig, startGateway } from "@recourse/gateway";
import type { Sample } from "./records.ts";

process.on("unhandledRejection", (error) => process.send?.({ unhandled: String(error) }));
process.on("disconnect", () => process.exit(0));
process.on("message", () => process.send?.({ sample: sample() }));
await startGateway(JSON.parse(process.argv[2] ?? "{}") as GatewayConfig);
process.send?.({ listening: true });

function sample(): Sample {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rssMib: rss / 2 ** 20, heapMib: heapUsed / 2 ** 20, handles: process.getActiveResourcesInfo().length };
}
