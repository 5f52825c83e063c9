// Checks all scenes in all widths and themes: npm run scenes [-- --update]. `--update` renews the pictures, to be looked at.
import { spawnSync } from "node:child_process";

const updates = process.argv.includes("--update");
const { status } = spawnSync("vitest", ["run", "packages/console/test/scenes.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, RECOURSE_NIGHTLY: "1", ...(updates && { RECOURSE_UPDATE_PICTURES: "1" }) },
});
process.exitCode = status ?? 1;
