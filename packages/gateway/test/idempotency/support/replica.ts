// A gateway in a process of its own: the configuration as JSON comes in, its address goes out.
import type { GatewayConfig } from "../../../src/config/types.ts";
import { startGateway } from "../../../src/gateway.ts";

const gateway = await startGateway(JSON.parse(process.argv[2] ?? "") as GatewayConfig);
process.stdout.write(`${gateway.url}\n`);
