// Bundles a few lines of a user's code the way a bundler for browsers does.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const here = dirname(fileURLToPath(import.meta.url));
const ENTRY = join(here, "user-code.ts");

export interface Bundle {
  readonly code: string;
  /** Modules that were left outside the bundle. */
  readonly imports: readonly string[];
  readonly gzip: number;
}

/** The bundle of a module's text, for a platform without Node. */
export async function bundle(code: string, options: { minify?: boolean } = {}): Promise<Bundle> {
  const build = await rolldown({
    input: ENTRY,
    platform: "browser",
    resolve: { conditionNames: ["@recourse/source", "import", "default"] },
    plugins: [
      {
        name: "user-code",
        load: (id) => (id === ENTRY ? { code, moduleType: "ts" } : null),
        resolveId: (id) => (id === ENTRY ? id : null),
      },
    ],
    onLog: () => {},
  });
  const { output } = await build.generate({ format: "esm", minify: options.minify === true });
  await build.close();
  const [chunk] = output;
  return { code: chunk.code, imports: chunk.imports, gzip: gzipSync(chunk.code, { level: 9 }).length };
}
