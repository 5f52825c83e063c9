import { onTestFinished } from "vitest";
import type { GatewayConfig } from "../../src/config/types.ts";
import { type Gateway, type GatewayOptions, startGateway } from "../../src/gateway.ts";
import { testConfig } from "./config.ts";

/** Starts a gateway for one test, and closes it when the test has ended. */
export async function startTestGateway(
  changes: Partial<GatewayConfig> = {},
  options: GatewayOptions = {},
): Promise<Gateway> {
  const gateway = await startGateway(testConfig({ drainMs: 0, ...changes }), options);
  onTestFinished(() => gateway.close());
  return gateway;
}
