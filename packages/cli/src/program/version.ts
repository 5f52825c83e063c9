import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The version of this program. */
export function programVersion(): string {
  const manifest = fileURLToPath(import.meta.resolve("@recourse/cli/package.json"));
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version;
}
