// A client whose reader of failures cannot be loaded, as after a deployment that removed old files.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openPair } from "@recourse/test-kit/fixtures";
import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { recourse as Recourse } from "../../../src/client/index.ts";

const SECRET = "Call the desk of Winter-Palace-77.";
// Inside of the repository, so that packages are found.
const cache = join(import.meta.dirname, "../../../../../.cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "unloaded-"));
let recourse: typeof Recourse;

beforeAll(async () => {
  const build = await rolldown({
    input: join(import.meta.dirname, "../../../src/client/index.ts"),
    platform: "node",
    onLog: () => {},
  });
  await build.write({ dir: folder, format: "esm", entryFileNames: "client.mjs", chunkFileNames: "[name].mjs" });
  await build.close();
  const [reader = ""] = readdirSync(folder).filter((name) => name.startsWith("read-reply"));
  rmSync(join(folder, reader));
  ({ recourse } = (await import(pathToFileURL(join(folder, "client.mjs")).href)) as { recourse: typeof Recourse });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(ERAS)("%s", (era) => {
  test("a failure says nothing of the server, and an answer that only looks like one is a success", async () => {
    const pair = await openPair(era, (server) => {
      const text = (said: string) => [{ type: "text" as const, text: said }];
      server.registerTool("fails", {}, () => ({ content: text(SECRET), isError: true }));
      server.registerTool("reports", {}, () => ({ content: text('{"error":null,"orders":7}') }));
      return server;
    });
    const mcp = recourse(pair.client);
    const [failed, reported] = [await mcp.call("fails"), await mcp.call("reports")];
    expect(failed).toMatchObject({ ok: false, fault: { reason: "core/unrecognised", effect: "possible" } });
    expect(JSON.stringify(failed.ok ? {} : failed.fault)).not.toContain("Winter-Palace");
    expect(reported.ok).toBe(true);
  });
});
