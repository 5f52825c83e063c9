// A gateway in a process of its own: its configuration and its options as JSON come in, its address goes out.
import type { GatewayConfig } from "../../../src/config/types.ts";
import { type GatewayOptions, startGateway } from "../../../src/gateway.ts";

const [config, options] = JSON.parse(process.argv[2] ?? "") as [GatewayConfig, GatewayOptions];
const gateway = await startGateway(config, options);
process.stdout.write(`${gateway.url}\n`);
