import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toFault } from "@recourse/core/reasons";
import { createCertificate } from "@recourse/test-kit/certificates";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemLine } from "./document.ts";
import { loadConfig } from "./load.ts";

let folder: string;
const authority = createCertificate({ name: "Test CA", authority: true });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "routes-"));
  const files = {
    "ca.pem": `Our CA\n${authority.key}${authority.cert}and the one before it\n${authority.cert}`,
    "not.pem": "MIIB",
    "broken.pem": `${authority.cert}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(options: string, environment: Readonly<Record<string, string>> = {}, way = "url: https://shop.test/mcp") {
  const text = `store: memory\nauthentication: none\nupstreams:\n  shop: { ${way}${options && `, ${options}`} }\n`;
  const loaded = loadConfig(text, { environment, file: join(folder, "gateway.yaml") });
  const shown = (problems: Parameters<typeof problemLine>[1][]) => problems.map((one) => problemLine("file", one));
  return {
    upstream: loaded.ok ? loaded.config.upstreams[0] : undefined,
    problems: loaded.ok ? [] : shown([...loaded.problems]),
    warnings: shown([...loaded.warnings]),
    files: loaded.secretFiles.map(({ path }) => path),
  };
}

describe("the proxy of an upstream", () => {
  const environment = { HTTPS_PROXY: "http://corp.test:3128", NO_PROXY: "internal.test" };

  it("comes from the environment, from the option, or is none", () => {
    expect(load("", environment).upstream).toMatchObject({
      proxy: { https: "http://corp.test:3128/", except: "internal.test,localhost,127.0.0.0/8,::1" },
    });
    expect(load("proxy: http://own.test:1", environment).upstream?.proxy).toEqual({
      http: "http://own.test:1",
      https: "http://own.test:1",
    });
    expect(load("proxy: false", environment).upstream?.proxy).toBeUndefined();
    expect(load("").upstream?.proxy).toBeUndefined();
  });

  it("is a problem if it cannot be one, without its value", () => {
    const socks = { HTTPS_PROXY: "socks5://ann:hunter2@corp.test:1080" };
    expect(load("", socks).problems).toEqual([
      "file:3:1 upstreams: the variable HTTPS_PROXY is not the address of a proxy. Write it as http://host:port, or unset it. SOCKS is not supported.",
    ]);
    expect(load("proxy: false", socks).problems).toEqual([]);
    expect(load("proxy: http://own.test:99999").problems).toEqual([
      "file:4:39 upstreams.shop.proxy: this is not the address of a proxy. Write it as http://host:port.",
    ]);
    expect(load("proxy: true").problems).toEqual([
      "file:4:46 upstreams.shop.proxy: expected false, or the URL of a proxy.",
    ]);
  });

  it("does not concern programs", () => {
    expect(load("", { HTTPS_PROXY: "socks5://x" }, "command: [node]").problems).toEqual([]);
    expect(load("proxy: false, tls: { ca: ca.pem }", {}, "command: [node]").problems).toEqual([
      expect.stringContaining("upstreams.shop.proxy: this option belongs to upstreams with url or openapi."),
      expect.stringContaining("upstreams.shop.tls: this option belongs to upstreams with url or openapi."),
    ]);
  });

  it("has a password that no fault shows, as it is written, as it is read and as it is sent", () => {
    load("", { HTTPS_PROXY: "http://ann:p%40ss-word-1@corp.test" });
    load("proxy: http://bob:own-pass-word@own.test");
    const sent = Buffer.from("ann:p@ss-word-1").toString("base64");
    for (const secret of ["p%40ss-word-1", "p@ss-word-1", sent, "own-pass-word"]) {
      const said = JSON.stringify(toFault(new Error(`the proxy said ${secret}`)));
      expect(said).not.toContain(secret);
    }
  });
});

describe("the CA of an upstream", () => {
  it("is a file with certificates; its path is relative to the configuration, and it is watched", () => {
    const { upstream, warnings, files } = load("tls: { ca: ./ca.pem }");
    expect(upstream?.tls?.ca).toEqual([authority.cert.trim(), authority.cert.trim()]);
    expect(warnings).toEqual([]);
    expect(files).toEqual([join(folder, "ca.pem")]);
  });

  it.each([
    ["missing.pem", "does not exist."],
    ["not.pem", "has no certificate in PEM."],
    ["broken.pem", "has a certificate that cannot be read, number 2."],
    [".", "is not a regular file."],
  ])("is a problem if it cannot be used: %s", (file, expected) => {
    const { problems } = load(`tls: { ca: ${file} }`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`upstreams.shop.tls.ca: the file ${file} ${expected}`);
  });
});
