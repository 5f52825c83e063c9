// Bundles code of a user as a bundler for browsers does.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const here = dirname(fileURLToPath(import.meta.url));
const ENTRY = join(here, "user-code.ts");

/** A bundle. */
export interface Bundle {
  readonly code: string;
  /** Modules that are not part of the bundle. */
  readonly imports: readonly string[];
  /** Compressed size in bytes. */
  readonly gzip: number;
}

/** Options of a bundle. */
interface BundleOptions {
  /** @default false */
  readonly minify?: boolean;
  /**
   * Whether to bundle the sources or the built package.
   *
   * @default "source"
   */
  readonly from?: "source" | "dist";
}

/** Bundles the text of a module for a platform without Node. */
export async function bundle(code: string, options: BundleOptions = {}): Promise<Bundle> {
  const build = await rolldown({
    input: ENTRY,
    platform: "browser",
    resolve: { conditionNames: [...(options.from === "dist" ? [] : ["@recourse/source"]), "import", "default"] },
    plugins: [
      {
        name: "user-code",
        load: (id) => (id === ENTRY ? { code, moduleType: "ts" } : null),
        resolveId: (id) => (id === ENTRY ? id : null),
      },
    ],
    onLog: () => {},
  });
  const { output } = await build.generate({ format: "esm", minify: options.minify === true, comments: false });
  await build.close();
  const [chunk] = output;
  return { code: chunk.code, imports: chunk.imports, gzip: gzipSync(chunk.code, { level: 9 }).length };
}
