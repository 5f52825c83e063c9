// A gateway whose incidents go to PostgreSQL, with those of a busy replica beside them, or nowhere.
import { startGateway } from "../../packages/gateway/src/gateway.ts";
import type { GatewayIncident } from "../../packages/gateway/src/incidents/incidents.ts";
import { httpUpstream, testConfig } from "../../packages/gateway/test/support/config.ts";
import { openBenchIncidents, pushAtRate } from "./push.ts";

const [variant, database = "", upstream = ""] = process.argv.slice(2);
/** One of four replicas that have 5,000 incidents a second together. */
const RATE = 1_250;
const incidents = variant === "with" ? await openBenchIncidents(database) : undefined;
const gateway = await startGateway(testConfig({ upstreams: [httpUpstream(upstream)] }), {
  sink: (incident) => incidents?.sink(incident as GatewayIncident),
});
let flow: ReturnType<typeof pushAtRate> | undefined;
process.on("message", (message) => {
  flow?.stop();
  flow =
    message === "on" && incidents !== undefined ? pushAtRate(incidents, { rate: RATE, tenant: "bench" }) : undefined;
});
process.on("disconnect", async () => {
  flow?.stop();
  await gateway.close();
  await incidents?.end();
  process.exit();
});
process.send?.(gateway.url.href);
