import { createDecoder } from "../decoder.ts";
import type { Decoder } from "../dialect.ts";
import { decodeSdk } from "./decode.ts";

/**
 * The official TypeScript SDK, versions 1 and 2: errors that your program catches, and the sentences of its servers.
 *
 * It only reads. Reason, params, issues, effect and origin come from the class, code or sentence of the error; a text
 * that the server wrote becomes a quote; stack and cause are not taken over.
 *
 * @example
 * import { sdk } from "@recourse/faults/dialects";
 *
 * try {
 *   await client.callTool({ name: "search", arguments: { query } });
 * } catch (error) {
 *   const fault = sdk.decode(error);
 *   console.error(fault?.kind, fault?.effect); // "timeout" "possible"
 * }
 */
export const sdk: Decoder = { name: "sdk", decode: createDecoder(decodeSdk) };
