import { tmpdir } from "node:os";
import { join } from "node:path";

/** For programs that tests start: the compiled sources are kept, which saves most of the time of each further start. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "recourse-compile-cache"),
} as const satisfies Readonly<Record<string, string>>;
