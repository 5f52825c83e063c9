// A gateway in a process of its own, which tells its parent each change of a breaker. Its argument is the configuration.

import type { Observer } from "../../../src/call/observer.ts";
import type { GatewayConfig } from "../../../src/config/types.ts";
import { startGateway } from "../../../src/gateway.ts";
import { createObserver } from "../../../src/telemetry/create-observer.ts";
import type { ReplicaMessage } from "./outages.ts";

const config = JSON.parse(process.argv[2] ?? "{}") as GatewayConfig;
const send = (message: ReplicaMessage) => process.send?.(message);
const observer: Observer = {
  ...createObserver(config),
  breaker: (_, state) => void send({ state, atMs: performance.timeOrigin + performance.now() }),
  switched(control, state) {
    if (control === "breakers") send({ switched: state });
  },
};
process.on("disconnect", () => process.exit(0));
const gateway = await startGateway(config, { observer });
send({ url: gateway.url.href });
