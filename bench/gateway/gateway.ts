// One gateway, in a process of its own: node bench/gateway/gateway.ts <options as JSON>
import { type CheckoutOptions, startFromCheckout } from "./checkout.ts";
import "./report.ts";

const gateway = await startFromCheckout(JSON.parse(process.argv[2] ?? "{}") as CheckoutOptions);
process.send?.({ port: Number(gateway.url.port) });
