import { createDecoder } from "../decoder.ts";
import type { Decoder } from "../dialect.ts";
import { decodeText } from "./decode.ts";

/**
 * The plain text of a failed tool, from any server. Phrases in the text suggest the reason.
 *
 * It only reads. The text becomes the quote; everything else is a guess, so effect is always `possible` and nothing is
 * repeated because of it.
 *
 * @example
 * import { text } from "@recourse/faults/dialects";
 *
 * const fault = text.decode({ isError: true, content: [{ type: "text", text: "Error: too many requests" }] });
 * console.log(fault?.kind, fault?.basis); // "rate_limited" "guessed"
 */
export const text: Decoder = { name: "text", decode: createDecoder(decodeText) };
