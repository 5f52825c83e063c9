import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  sampleCheck,
  sampleEra,
  sampleExchange,
  sampleRecording,
  sampleReport,
  shop,
} from "../../../test/support/samples.ts";
import { judgeRecording } from "../../judge/judge.ts";
import { htmlReport } from "./page.ts";
import { PAGE_STYLE } from "./style.ts";

const page = htmlReport(sampleReport(), { toCommandLine: ({ id }) => `curl '${id}'` });

describe("htmlReport", () => {
  it("shows the score, the server, what to do first, and each finding with its evidence", () => {
    expect(page).toContain('aria-label="Score 53 of 100, grade D"');
    expect(page).toContain("<h1>Shop 1.4.0</h1>");
    expect(page).toContain("points at least");
    expect(page).toContain("{&quot;token&quot;:&quot;sk-probe-1&quot;,");
    expect(page).toContain("400  text/html  SyntaxError: Expected double-quoted property name");
    expect(page).toContain("curl &#39;2025-11-25/malformed-message/cut/1&#39;");
    expect(page).toContain("docs/checks/leak-stack.md");
    expect(page).toContain("Comes with your SDK (3)");
    expect(page).toContain("No other tool was called.");
    expect(page).toContain("Tools called: search_items.");
  });

  it("opens the worst finding, and no other", () => {
    expect(page.match(/<details[^>]* open>/g)).toEqual(['<details id="leak-stack" open>']);
  });

  it("says that nothing was found, and that tools that write were called", () => {
    const eras = [sampleEra({ called: ["buy"] })];
    const clean = htmlReport(judgeRecording({ ...shop, eras }, { checks: [sampleCheck("a", "pass")] }));
    expect(clean).toContain("<p>Nothing found.</p>");
    expect(clean).toContain("By your choice, tools that may write got valid arguments: buy.");
  });

  it("loads nothing, and allows nothing but its own style", () => {
    expect(page.match(/(?:src|srcset|data|action|poster)="[^"]*"/g)).toBeNull();
    expect(page).not.toMatch(/<(?:link|img|iframe|object|form|base)\b|url\(|@import/);
    const hash = createHash("sha256").update(PAGE_STYLE).digest("base64");
    expect(page).toContain(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
    expect(page).not.toMatch(/ style="/);
  });

  it("carries the report as JSON, without what was sent and received", () => {
    const [, json = ""] = /<script type="application\/json" id="recourse-report">(.*?)<\/script>/s.exec(page) ?? [];
    const { exchanges: _, ...data } = sampleReport();
    expect(JSON.parse(json)).toEqual(data);
  });
});

/** Texts that would run, load or break out if they were not escaped. */
const ATTACKS = [
  "<script>document.title='owned'</script>",
  "</script><script>document.title='owned'</script>",
  '"><img src=x onerror="document.title=\'owned\'">',
  "'><svg onload=\"document.title='owned'\">",
  "</style><script>document.title='owned'</script>",
  "</title><script>document.title='owned'</script>",
  "<!--<script>document.title='owned'</script>",
  "javascript:document.title='owned'",
  "</details></main><iframe srcdoc=\"<script>top.document.title='owned'</script>\">",
];

const BROWSERS = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const browser = BROWSERS.find((path) => path !== undefined && existsSync(path));

describe("a server that attacks the reader", () => {
  const hostile = ATTACKS.join("\n");
  const exchange = sampleExchange({
    sent: { text: hostile, bytes: 1 },
    answer: { kind: "body", text: hostile, bytes: 1, ms: 1 },
  });
  const era = sampleEra({
    server: { name: hostile, version: hostile },
    exchanges: [exchange],
    called: [hostile],
    spared: [{ tool: hostile, because: hostile }],
  });
  const recording = sampleRecording({
    eras: [era],
    target: { url: "javascript:document.title='owned'" },
    unspoken: [{ revision: "2026-07-28", because: hostile }],
  });
  const checks = [
    sampleCheck("a", { state: "fail", message: hostile, evidence: [exchange.id] }),
    sampleCheck("b", { state: "skipped", because: hostile }),
  ];
  const attacked = htmlReport(judgeRecording(recording, { checks }), { toCommandLine: () => hostile });

  it("adds no element and no address", () => {
    const ours = new Set([
      ..."html head meta title style body main header svg circle text div h1 p a ul li span rect h2".split(" "),
      ..."ol pre details summary code br h3 footer strong script".split(" "),
    ]);
    const elements = [...attacked.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name = ""]) => name);
    expect(elements.filter((name) => !ours.has(name))).toEqual([]);
    expect(elements.filter((name) => name === "script")).toHaveLength(1);
    const addresses = [...attacked.matchAll(/href="([^"]*)"/g)].map(([, address = ""]) => address);
    expect(addresses.filter((address) => !address.startsWith("https://github.com/recourse-mcp/"))).toEqual([]);
  });

  it.skipIf(browser === undefined)(
    "runs nothing in a browser, even without the policy of the page",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "recourse-page-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
      const unprotected = attacked.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
      const canary = "<!doctype html><title>x</title><script>document.title='owned'</script>";
      const pages = { attacked, unprotected, canary };
      const titles: Record<string, string> = {};
      for (const [name, text] of Object.entries(pages)) {
        const file = join(folder, `${name}.html`);
        writeFileSync(file, text);
        titles[name] = await titleIn(browser ?? "", file, join(folder, "profile"));
      }
      expect(titles["canary"]).toBe("owned");
      expect(titles["attacked"]).toMatch(/^96 A/);
      expect(titles["unprotected"]).toBe(titles["attacked"]);
    },
    180_000,
  );
});

/** The title of a page after its scripts ran. */
async function titleIn(program: string, file: string, profile: string): Promise<string> {
  const args = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`, "--dump-dom"];
  const { stdout } = await promisify(execFile)(program, [...args, pathToFileURL(file).href], {
    timeout: 50_000,
    maxBuffer: 16_777_216,
  });
  return /<title>([\s\S]*?)<\/title>/.exec(stdout)?.[1] ?? "";
}
