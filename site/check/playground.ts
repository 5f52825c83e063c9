// The playground in a browser: it reads what the command line reads, sends nothing, opens shared links, needs no mouse.
import type { BrowserContext, Page } from "playwright-core";
import { packText } from "../../packages/console/src/playground/share-link.ts";
import type { CheckContext, CheckResult } from "./check.ts";
import { openLook, PAGES } from "./looks.ts";
import { compareReadings, explainText, PASTED, pickWires, type ReadingData } from "./playground-inputs.ts";

const LOOK = { size: "wide", theme: "light" } as const;
const FIELD = "recourse-playground textarea";
const SAMPLE = "MCP error -32001: Request timed out";
const WIRES = 40;
/** Presses of the tab key within which every part of the page is reached. */
const MAX_TABS = 60;

/** Checks the page. */
export async function checkPlayground({ address, openBrowser }: CheckContext): Promise<CheckResult> {
  const context = await openLook(await openBrowser(), LOOK);
  const url = `${address}${PAGES.playground}`;
  try {
    const inputs = [...PASTED, ...pickWires(WIRES)];
    const { problems, loaded } = await readInputs(context, url, inputs);
    return {
      figures: `${inputs.length} texts read, ${loaded} scripts loaded after the first input, no other request`,
      problems: [
        ...problems,
        ...(await tryToSend(context, url)),
        ...(await openSharedLink(context, url)),
        ...(await useKeyboard(context, url)),
      ],
    };
  } finally {
    await context.close();
  }
}

/** Pastes all texts into one page, and compares what it shows. */
async function readInputs(context: BrowserContext, url: string, inputs: readonly { source: string; text: string }[]) {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle" });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.method()} ${request.resourceType()} ${request.url()}`));
  page.on("websocket", (socket) => requests.push(`WebSocket ${socket.url()}`));
  const problems: string[] = [];
  for (const { source, text } of inputs) {
    await page.fill(FIELD, "");
    await page.waitForSelector(".decoded .reading", { state: "detached" });
    await page.fill(FIELD, text);
    await page.waitForSelector(".decoded .reading h2");
    const differences = compareReadings(explainText(text), await page.evaluate(readShown));
    problems.push(...differences.map((difference) => `${source}: ${difference}`));
  }
  await page.close();
  // The reader itself is loaded at the first input: scripts of the site, whose addresses hold nothing of the text.
  const scripts = new RegExp(`^GET (?:script|stylesheet) ${new URL(url).origin}/(?:[^/?]+/)?_astro/[\\w.-]+$`);
  const sent = requests.filter((request) => !scripts.test(request));
  return {
    loaded: requests.length - sent.length,
    problems: [...problems, ...sent.map((request) => `sent ${request}`)],
  };
}

/** Reads the card of a reading, in the page. */
function readShown(): ReadingData {
  const card = document.querySelector(".decoded .reading");
  const say = (element: Element | null | undefined) =>
    element?.textContent?.replaceAll(/\s+/g, " ").trim() || undefined;
  const facts = new Map(
    [...(card?.querySelectorAll("dl > div") ?? [])].map((row) => [
      say(row.querySelector("dt")),
      row.querySelector("dd"),
    ]),
  );
  const parts = new Map(
    [...(card?.querySelectorAll(".reading-part") ?? [])].map((part) => [say(part.querySelector("h3")), part]),
  );
  const [effect] = ["none", "possible", "applied"].filter((name) =>
    facts.get("Effect")?.querySelector(`.effect.${name}`),
  );
  return {
    title: say(card?.querySelector("h2")) ?? "",
    sentence: say(card?.querySelector(":scope > p")),
    reason: say(facts.get("Reason")),
    cause: say(facts.get("Cause")),
    effect,
    advice: say(parts.get("What to do")?.querySelector("li")),
    modelReads: say(parts.get("With Recourse the model reads")?.querySelector("blockquote")),
    repeat: say(parts.get("May it be repeated?")?.querySelector("p")),
  };
}

/** The ways in which a script could send a text. The policy of the page stops each. */
async function tryToSend(context: BrowserContext, url: string): Promise<readonly string[]> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle" });
  const stopped = await page.evaluate(async () => {
    const blocked: string[] = [];
    addEventListener("securitypolicyviolation", ({ blockedURI }) => blocked.push(blockedURI));
    const target = (way: string) => `${location.origin}/sent-by-${way}`;
    await fetch(target("fetch")).catch(() => undefined);
    navigator.sendBeacon(target("beacon"), "text");
    const request = new XMLHttpRequest();
    request.open("POST", target("request"));
    request.send("text");
    const quietly = (open: () => unknown) => {
      try {
        open();
      } catch {
        // Some ways throw, and some report.
      }
    };
    quietly(() => new WebSocket(target("socket").replace(/^http/, "ws")));
    quietly(() => new EventSource(target("events")));
    const form = document.createElement("form");
    form.method = "post";
    form.action = target("form");
    document.body.append(form);
    form.submit();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return blocked;
  });
  await page.close();
  return ["fetch", "beacon", "request", "socket", "events", "form"]
    .filter((way) => !stopped.some((address) => address.endsWith(`/sent-by-${way}`)))
    .map((way) => `the policy does not stop ${way}`);
}

async function openSharedLink(context: BrowserContext, url: string): Promise<readonly string[]> {
  const page = await context.newPage();
  await page.goto(`${url}${await packText(SAMPLE)}`);
  await page.waitForSelector(".decoded .reading h2");
  const differences = compareReadings(explainText(SAMPLE), await page.evaluate(readShown));
  const text = await page.inputValue(FIELD);
  await page.close();
  return [
    ...differences.map((difference) => `shared link: ${difference}`),
    ...(text === SAMPLE ? [] : [`shared link: the field holds ${JSON.stringify(text)}`]),
  ];
}

/** Presses the tab key until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<boolean> {
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return true;
  }
  return false;
}

/** Pastes, chooses an example and opens the wire formats, all by keys. */
async function useKeyboard(context: BrowserContext, url: string): Promise<readonly string[]> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle" });
  const steps: readonly (readonly [name: string, selector: string, act: () => Promise<unknown>])[] = [
    [
      "the field",
      FIELD,
      async () => {
        await page.keyboard.insertText(SAMPLE);
        await page.waitForSelector(".decoded .reading h2");
      },
    ],
    [
      "an example",
      "recourse-playground fieldset button",
      async () => {
        await page.keyboard.press("Enter");
        await page.waitForFunction(
          ([field, before]) => document.querySelector<HTMLTextAreaElement>(field)?.value !== before,
          [FIELD, SAMPLE] as const,
        );
        await page.waitForSelector(".decoded .reading summary");
      },
    ],
    [
      "the wire formats",
      ".decoded .reading summary",
      async () => {
        await page.keyboard.press("Enter");
        await page.waitForSelector(".decoded details[open] pre");
      },
    ],
  ];
  const problems: string[] = [];
  for (const [name, selector, act] of steps)
    if (await tabTo(page, selector)) await act();
    else problems.push(`keyboard: ${MAX_TABS} presses of the tab key do not reach ${name}`);
  await page.close();
  return problems;
}
