import type { Decoder } from "../dialect.ts";
import { decode } from "./decode.ts";

/** FastMCP and the Python SDK: the fixed sentences of their servers. */
export const fastmcp: Decoder = { name: "fastmcp", decode };
