import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { guardTool } from "../../server/guard.ts";
import { convertThrown, toFault } from "./to-fault.ts";

describe("what could not be parsed", () => {
  const caught = async (run: () => unknown): Promise<unknown> => {
    try {
      return await run();
    } catch (error) {
      return error;
    }
  };
  const html = () => new Response("<html>Bad gateway</html>").json();
  const reasonOf = async (run: () => unknown, ownPackage?: string) =>
    convertThrown(await caught(run), { ownPackage }).fault.reason;

  it("is a reply if the platform read it", async () => {
    expect(await reasonOf(html)).toBe("rest/unexpected_content");
    expect(await reasonOf(html, "")).toBe("rest/unexpected_content");
    const wrapped = async () => {
      throw new Error("cannot list orders", { cause: await caught(html) });
    };
    expect(await reasonOf(wrapped)).toBe("rest/unexpected_content");
  });

  it("is an accident if the code of the server parsed it", async () => {
    const own = () => JSON.parse("<html>");
    expect(await reasonOf(own)).toBe("core/internal");
    expect(await reasonOf(own, "")).toBe("core/internal");
    expect(await reasonOf(() => new Function("}"), "")).toBe("core/internal");
  });

  it("is a reply if another package parsed it, and the own one is known", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parsed-"));
    const home = join(folder, "node_modules", "client");
    await mkdir(home, { recursive: true });
    await writeFile(join(home, "index.mjs"), "export const read = (text) => JSON.parse(text);\n");
    const client = (await import(pathToFileURL(join(home, "index.mjs")).href)) as { read(text: string): unknown };
    await rm(folder, { recursive: true });
    const parse = () => client.read("<html>");
    expect(await reasonOf(parse, "")).toBe("rest/unexpected_content");
    expect(await reasonOf(parse, "server")).toBe("rest/unexpected_content");
    expect(await reasonOf(parse, "client")).toBe("core/internal");
    expect(await reasonOf(parse)).toBe("core/internal");
    // A guard knows whose code it guards.
    const guarded = await guardTool("list", parse, { sink: () => {} })();
    const own = await guardTool("list", () => JSON.parse("<html>"), { sink: () => {} })();
    expect([guarded, own]).toMatchObject([
      { _meta: { "recourse/fault": { reason: "rest/unexpected_content" } } },
      { _meta: { "recourse/fault": { reason: "core/internal" } } },
    ]);
  });

  it("is an accident if its stack was read before", async () => {
    const error = await caught(html);
    void (error as Error).stack;
    expect(toFault(error).reason).toBe("core/internal");
  });
});
