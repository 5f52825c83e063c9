import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtConsole, SCRIPT, SCRIPT_PATH } from "../../test/console/support.ts";
import { findConsoleFolder, readConsoleFiles } from "./files.ts";

const open = () => readConsoleFiles(builtConsole());

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

describe("pages", () => {
  it.each([
    ["", "./assets/"],
    ["incidents", "./assets/"],
    ["i/01M7", "../assets/"],
    ["callers/%5B%22key%22%2C%22a%2Fb%22%5D", "../assets/"],
    ["a/b/c", "../../assets/"],
    ["a/b/c/", "../../../assets/"],
    ["i/", "../assets/"],
    ["/x", "../assets/"],
    ["index.html", "./assets/"],
    ["../../etc/passwd", "../../../assets/"],
  ])("at %j name their files as %s", async (path, assets) => {
    const { status, headers, body } = (await open()).find(path, "br");
    expect(status).toBe(200);
    expect(headers).toMatchObject(PAGE_HEADERS);
    expect(headers["content-encoding"]).toBeUndefined();
    expect([...body.toString().matchAll(/"([./]*assets\/)/g)].map(([, found]) => found)).toEqual([assets, assets]);
    // What a browser makes of it.
    const found = new URL(`${assets}index-abc.js`, `http://127.0.0.1/recourse/console/${path.replaceAll("..", "%2e")}`);
    if (!path.includes("..")) expect(found.pathname).toBe("/recourse/console/assets/index-abc.js");
  });

  it("beyond the depth of the console do not exist", async () => {
    expect((await open()).find("a/b/c/d/e", undefined)).toMatchObject({ status: 404 });
  });

  it("turn everything off that a page could ask a browser for, but copying", async () => {
    const policy = (await open()).find("", undefined).headers["permissions-policy"] ?? "";
    expect(policy).toContain("camera=(), ");
    expect(policy.split(", ").filter((feature) => !feature.endsWith("=()"))).toEqual(["clipboard-write=(self)"]);
  });
});

describe("files", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["gzip, deflate, br, zstd", "gzip"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["GZIP", "gzip"],
    ["br, gzip;q=0", undefined],
    ["identity", undefined],
    ["brotli", undefined],
  ])("with accept-encoding %j are sent as %s", async (accepted, encoding) => {
    const { status, headers, body } = (await open()).find(SCRIPT_PATH, accepted);
    expect([status, headers["content-encoding"], headers["vary"]]).toEqual([200, encoding, "accept-encoding"]);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    if (encoding === undefined) expect(body.toString()).toBe(SCRIPT);
    else expect(body.length).toBeLessThan(200);
  });

  it.each(["assets/index-old.js", "assets/", "assets/../index.html", `${SCRIPT_PATH}.gz`, "assets/__proto__"])(
    "that are not there are gone: %s",
    async (path) => {
      const { status, headers } = (await open()).find(path, "br");
      expect([status, headers["cache-control"]]).toEqual([410, "no-store"]);
    },
  );
});

describe("the folder", () => {
  it("is that of the package, from sources and built", () => {
    const root = join(import.meta.dirname, "../..");
    expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).name).toBe("@recourse/gateway");
    for (const from of ["src/console", "dist", "dist/chunks"])
      expect(findConsoleFolder(join(root, from))).toBe(join(root, "dist/console"));
  });

  it.each<[string, (files: Map<string, Buffer>) => void, RegExp]>([
    ["a file is missing", (files) => files.delete(`${SCRIPT_PATH}.gz`), /ENOENT/],
    [
      "a file was changed",
      (files) => files.set(`${SCRIPT_PATH}.gz`, Buffer.from("evil")),
      /not the file that was built/,
    ],
  ])("is refused where %s", async (_, changes, message) => {
    await expect(readConsoleFiles(builtConsole(changes))).rejects.toThrow(message);
  });

  it("is refused where it does not exist", async () => {
    await expect(readConsoleFiles("/nowhere")).rejects.toThrow(/ENOENT/);
  });
});
