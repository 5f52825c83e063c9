// The public API of the gateway. Every exported name is listed here.

export { type Problem, problemLine } from "./config/document.ts";
export { type LoadOptions, type LoadResult, loadConfig } from "./config/load.ts";
export type { GatewayConfig } from "./config/types.ts";
export { type Gateway, type GatewayOptions, startGateway } from "./gateway.ts";
