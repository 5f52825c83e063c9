// Hostile texts in every member that upstreams, callers and other operators write: nothing runs, nothing hides, the page stays usable.
import { CHROMIUM, IN_CHROMIUM, startChromium } from "@recourse/test-kit/chromium";
import { isNightly } from "@recourse/test-kit/runs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVENING, SCENES, type Scene, type SceneAnswer } from "../scenes/scenes.ts";
import { openStage, serveConsole, showScene } from "../scenes/stage.ts";

/** What upstreams, callers and operators write. */
const WRITTEN = new Set([
  ...["tool", "tenant", "caller", "title", "description", "message", "sentText", "note", "target", "why"],
  ...["host", "name", "code", "version", "replica", "decidedBy", "createdBy", "by", "policy", "label", "text"],
  ...["meaning", "method", "protocol", "era", "upstreamLog", "upstreamIncident", "pattern", "detail"],
]);
/** Members whose values are all written by others, whatever their names are. */
const WRITTEN_INSIDE = new Set(["fields", "frames", "facts", "shadowed", "tools", "scopes", "entitlements", "options"]);

const MARKUP = `"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script><b id=pwned>`;
const TEXTS = {
  "markup, directions and control characters": `javascript:window.pwned=1//${MARKUP}\u202Egnp.exe\u2066\u200F\u0000\u001b[31m\u009b\u2028`,
  "a name of every object": "__proto__",
  "a path": "../../../console/session?x=#y",
  "one long word": "W".repeat(4_000),
} as const;

/** An answer with a text in place of all that others write. */
function poison(value: unknown, text: string, isInside = false): unknown {
  if (typeof value === "string") return isInside ? text : value;
  if (Array.isArray(value)) return value.map((item) => poison(item, text, isInside));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === "arguments") return [key, JSON.stringify({ [text]: text, list: [text, { [text]: 1 }] })];
      return [key, poison(member, text, isInside || WRITTEN.has(key) || WRITTEN_INSIDE.has(key))];
    }),
  );
}

const PAGES = ["now", "incident", "compare", "incidents", "cause", "approvals", "approval", "approval-decided"].concat(
  ...["upstreams", "upstream", "callers", "keys", "caller", "changes", "now-reset"],
);
const CASES = PAGES.flatMap((name) => Object.keys(TEXTS).map((text) => ({ name, text: text as keyof typeof TEXTS })));
/** By day one of five: each text, on pages of different sorts. */
const TAKEN = CASES.filter((_, index) => isNightly || index % 5 === 0);

function hostileScene(name: string, text: string): Scene {
  const scene = SCENES.find((one) => one.name === name);
  if (scene === undefined) throw new Error(`no scene ${name}`);
  const answers = [...(scene.answers ?? []), ...EVENING].map(
    ([path, answer]) =>
      // Who is signed in, and the name of the gateway, are from its own file.
      [path, path.test("me") ? answer : (poison(JSON.parse(JSON.stringify(answer)), text) as SceneAnswer)] as const,
  );
  return { ...scene, ready: name === "now-reset" ? scene.ready : "h1", answers };
}

/** Where characters that hide or reorder text are on the page as they are. */
function findHidden(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200f\u2028-\u202e\u2066-\u2069]/;
    const found = hidden.test(document.title) ? ["document.title"] : [];
    for (const element of document.querySelectorAll("body, body *")) {
      const place = `${element.tagName.toLowerCase()}.${element.className}`;
      for (const { name, value } of element.attributes) if (hidden.test(value)) found.push(`${place}[${name}]`);
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE && hidden.test(node.nodeValue ?? ""))
          found.push(`${place} in ${element.parentElement?.className}`);
    }
    return [...new Set(found)];
  });
}

describe.skipIf(CHROMIUM === undefined)(`hostile texts${IN_CHROMIUM}`, () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serveConsole>>;
  let stage: Awaited<ReturnType<typeof openStage>>;
  beforeAll(async () => {
    browser = await startChromium();
    site = await serveConsole();
    stage = await openStage(browser, "desktop", "light");
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test.each(TAKEN)("$text on $name", async ({ name, text }) => {
    const { page, wrong } = await showScene(stage, site.origin, hostileScene(name, TEXTS[text]));
    expect(wrong).toEqual([]);
    const state = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return {
        hit: "pwned" in window || document.getElementById("pwned") !== null,
        links: [...document.links].filter(({ protocol }) => !/^https?:$/.test(protocol)).length,
        isWide: scrollWidth > clientWidth,
        isBroken: /This page cannot be shown|The head of the page cannot/.test(document.body.innerText),
        shownChars: document.body.innerText.length,
      };
    });
    expect(state).toMatchObject({ hit: false, links: 0, isBroken: false, isWide: false });
    expect(await findHidden(page)).toEqual([]);
    expect(state.shownChars).toBeLessThan(300_000);
  });
});
