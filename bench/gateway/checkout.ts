import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Gateway, GatewayConfig } from "@recourse/gateway";
import { type ConfigOptions, keyOf } from "./config.ts";
import { callerKey, KEYED_CALLERS } from "./messages.ts";

/** Which gateway is started, and how. */
export interface CheckoutOptions extends ConfigOptions {
  /** The checkout to take it from. @default this one */
  readonly folder?: string | undefined;
  /** Keeps failures of the upstream from opening the breaker, which counts them all the same. @default false */
  readonly breakerStaysClosed?: boolean | undefined;
}

/** What a checkout exports, as far as the bench uses it. */
interface GatewayModule {
  startGateway(config: GatewayConfig): Promise<Gateway>;
}
interface ConfigModule {
  configOf(options: ConfigOptions): GatewayConfig;
}

const OWN = resolve(import.meta.dirname, "../..");
/** More failures than any run makes. */
const NEVER_OPENS = 1_000_000_000;

const KEYED = Array.from({ length: KEYED_CALLERS }, (_, caller) => keyOf(callerKey(caller), `bench-${caller}`));

/** Starts the gateway of a checkout with the configuration that its own bench makes, since their shapes may differ. */
export async function startFromCheckout({ folder = OWN, breakerStaysClosed = false, ...options }: CheckoutOptions) {
  const configFile = resolve(folder, "bench/gateway/config.ts");
  const { configOf } = (await import(pathToFileURL(configFile).href)) as ConfigModule;
  const file = createRequire(join(resolve(folder), "package.json")).resolve("@recourse/gateway");
  const { startGateway } = (await import(pathToFileURL(file).href)) as GatewayModule;
  const config = configOf(options);
  const { breaker } = config;
  return await startGateway({
    ...config,
    ...(breakerStaysClosed && breaker !== undefined && { breaker: { ...breaker, failures: NEVER_OPENS } }),
    ...(options.controls === "keyed" && { keys: KEYED }),
  });
}
