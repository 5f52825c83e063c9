import type { Decoder } from "../dialect.ts";
import { decode } from "./decode.ts";

/** The official SDK, versions 1 and 2: its errors as a program catches them, and the sentences of its servers. */
export const sdk: Decoder = { name: "sdk", decode };
