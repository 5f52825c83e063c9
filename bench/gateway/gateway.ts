// One gateway, in a process of its own: node bench/gateway/gateway.ts <options as JSON>
import { startGateway } from "@recourse/gateway";
import { type ConfigOptions, configOf } from "./config.ts";
import "./report.ts";

const gateway = await startGateway(configOf(JSON.parse(process.argv[2] ?? "{}") as ConfigOptions));
process.send?.({ port: Number(gateway.url.port) });
