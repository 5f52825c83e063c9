// Every task without a pointer, on a real gateway in Chromium. After each step something has the focus, and it can be seen.
import { CHROMIUM, IN_CHROMIUM } from "@recourse/test-kit/chromium";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { breakShop, incidentIn, OPERATOR_KEYS, startRunningGateway } from "./support/running-gateway.ts";
import { shareWindows } from "./support/windows.ts";

/** No page has more places to stop at, in these tests. */
const MAX_TABS = 80;

/** A person with a keyboard and no pointer. */
class Typist {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses keys one after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    await this.expectFocus();
  }

  async paste(text: string): Promise<void> {
    await this.page.keyboard.insertText(text);
    await this.expectFocus();
  }

  /** Presses Tab until something with this name has the focus. */
  async tabTo(name: RegExp): Promise<void> {
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      await this.press("Tab");
      if (name.test(await this.page.evaluate(nameOfFocus))) return;
    }
    throw new Error(`no Tab leads to ${name}`);
  }

  /** The focus is somewhere, and it can be seen. */
  async expectFocus(): Promise<void> {
    await expect.poll(() => this.page.evaluate(faultOfFocus)).toBe("");
  }

  /** The focus comes to something with this name. */
  async expectFocusOn(name: RegExp): Promise<void> {
    await expect.poll(() => this.page.evaluate(nameOfFocus)).toMatch(name);
    await this.expectFocus();
  }

  /** Presses a key until it leads there: nobody knows when a page that was just loaded listens. */
  async pressUntil(key: string, name: RegExp): Promise<void> {
    await expect
      .poll(async () => {
        const before = await this.page.evaluate(nameOfFocus);
        if (!name.test(before)) await this.page.keyboard.press(key);
        return this.page.evaluate(nameOfFocus);
      })
      .toMatch(name);
    await this.expectFocus();
  }

  async expectTitle(name: RegExp): Promise<void> {
    await expect.poll(() => this.page.locator("h1").first().innerText()).toMatch(name);
    await this.expectFocus();
  }

  async expectText(text: RegExp): Promise<void> {
    await expect.poll(() => this.page.locator("body").innerText()).toMatch(text);
    await this.expectFocus();
  }
}

describe.skipIf(CHROMIUM === undefined)(`the keyboard alone${IN_CHROMIUM}`, () => {
  const openWindow = shareWindows();

  /** Opens the console and signs in. */
  async function signInByKeys(address: string, role: keyof typeof OPERATOR_KEYS = "admin"): Promise<Typist> {
    const context = await openWindow();
    const typist = new Typist(context.pages()[0] ?? (await context.newPage()));
    await typist.page.goto(address);
    // The field has the focus from the start.
    await typist.expectFocusOn(/^Operator’s key/);
    await typist.paste(OPERATOR_KEYS[role]);
    await typist.page.keyboard.press("Enter");
    await typist.page.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
    await typist.expectFocusOn(/^main$/);
    return typist;
  }

  test("find an incident by its id, its neighbours, and leave the box again", async () => {
    const running = await startRunningGateway();
    const [older, newer] = [
      incidentIn((await running.call("shop__find_order", { order: 8 })).text),
      incidentIn((await running.call("shop__find_order", { order: 8 })).text),
    ];
    const typist = await signInByKeys(running.console, "viewer");
    await typist.expectTitle(/^\d+ of \d+ calls failed/);
    await typist.press("/");
    await typist.expectFocusOn(/^Find an incident/);
    await typist.press("Escape");
    await typist.expectFocusOn(/^main$/);
    await typist.press("/");
    await typist.paste(`If you report this, give incident ${newer}.`);
    await typist.press("Enter");
    await typist.expectText(/The model read[\s\S]*What happened[\s\S]*What to do/);
    expect(typist.page.url()).toContain(newer);
    await typist.expectText(/1 of 2/);
    await typist.press("j");
    await typist.page.waitForURL((url) => url.pathname.endsWith(older));
    await typist.expectText(/2 of 2/);
    await typist.press("k");
    await typist.page.waitForURL((url) => url.pathname.endsWith(newer));
    await typist.expectFocusOn(/^main$/);
    // A name that is no id leads to a list; the same page with another filter keeps the focus, too.
    for (const tool of ["shop__find_order", "shop__refund"]) {
      await typist.press("/");
      await typist.paste(tool);
      await typist.press("Enter");
      await typist.page.waitForURL((url) => url.searchParams.get("tool") === tool);
      await typist.expectFocusOn(/^main$/);
    }
  });

  test("what is pasted and sent before the box is loaded counts", async () => {
    const running = await startRunningGateway();
    const id = incidentIn((await running.call("shop__find_order", { order: 8 })).text);
    const typist = await signInByKeys(running.console, "viewer");
    const { promise: isTime, resolve: goOn } = Promise.withResolvers<void>();
    await typist.page.route(/\/omnibox-[^/]*\.js$/, async (route) => {
      await isTime;
      await route.continue();
    });
    const asked = typist.page.waitForRequest(/\/omnibox-[^/]*\.js$/);
    await typist.page.reload();
    await asked;
    await typist.pressUntil("/", /^Find an incident/);
    await typist.paste(id);
    await typist.press("Enter");
    goOn();
    await typist.page.waitForURL((url) => url.pathname.endsWith(id));
    await typist.expectText(/The model read/);
  });

  test("see what fails now, open its cause, and choose an incident in the list", async () => {
    const running = await startRunningGateway();
    for (let made = 0; made < 3; made++) await running.call("shop__find_order", { order: 8 });
    const typist = await signInByKeys(running.console, "viewer");
    await typist.press("g", "n");
    await typist.expectTitle(/^\d+ of \d+ calls failed/);
    await typist.page.locator("#causes-title, .causes tbody a").first().waitFor();
    await typist.press("j");
    await typist.expectFocusOn(/^Required service unreachable/);
    await typist.press("Enter");
    await typist.page.waitForURL(/\/console\/c\//);
    await typist.expectTitle(/^Required service unreachable/);
    await typist.press("g", "i");
    await typist.expectTitle(/^Incidents$/);
    await typist.page.locator(".incidents-list tbody tr").nth(2).waitFor();
    await typist.press("j", "j", "k", "x");
    await typist.expectText(/Mark one more to compare\./);
    await typist.press("j", "x");
    await typist.expectText(/Compare two/);
    await typist.press("Enter");
    await typist.page.waitForURL(/\/console\/i\//);
    await typist.expectText(/The model read/);
  });

  test("approve a call, and deny another", async () => {
    const running = await startRunningGateway();
    const refund = { order: 4711, amount: 249.5, reason: "damaged" };
    await running.call("shop__refund", refund);
    const typist = await signInByKeys(running.console, "approver");
    await typist.press("g", "a");
    await typist.expectTitle(/^Approvals$/);
    await typist.page.locator("a.row").waitFor();
    await typist.press("j");
    await typist.expectFocusOn(/^shop__refund/);
    await typist.press("Enter");
    await typist.page.getByRole("button", { name: /^Approve once/ }).waitFor();
    await typist.press("d");
    await typist.expectFocusOn(/^Deny/);
    await typist.press("a");
    await typist.expectFocusOn(/^Approve once/);
    // The letters only lead to the buttons.
    expect(await running.call("shop__refund", refund)).toMatchObject({ isError: true });
    await typist.press("Enter");
    await typist.expectFocusOn(/^Approved\. The caller may make this call until/);
    expect(await running.call("shop__refund", refund)).toEqual({ text: "Refunded.", isError: false });
    await typist.press("Escape");
    await typist.expectTitle(/^Approvals$/);
    await running.call("shop__refund", { ...refund, order: 1 });
    await typist.page.locator("a.row").waitFor();
    await typist.press("j", "Enter");
    await typist.page.getByRole("button", { name: /^Deny/ }).waitFor();
    await typist.press("d", "Enter");
    await typist.expectFocusOn(/^Denied\./);
    expect(running.shop.refunds).toEqual([refund]);
  });

  test("reset a breaker", async () => {
    const running = await startRunningGateway();
    await breakShop(running);
    const typist = await signInByKeys(running.console);
    await typist.press("g", "u");
    await typist.expectTitle(/^Upstreams$/);
    await typist.page.getByRole("button", { name: /^Reset breaker of shop/ }).waitFor();
    await running.shop.start();
    await typist.tabTo(/^Reset breaker of shop/);
    await typist.press("Enter");
    await typist.expectFocusOn(/^Cancel/);
    await typist.press("Escape");
    await typist.expectFocusOn(/^Reset breaker of shop…/);
    await typist.press("Enter");
    await typist.expectFocusOn(/^Cancel/);
    await typist.press("Tab");
    await typist.expectFocusOn(/^Reset breaker of shop$/);
    await typist.press("Enter");
    await typist.expectText(/The breaker of shop is closed\./);
    // The button is gone: its card has the focus.
    await expect.poll(() => typist.page.getByRole("button", { name: /^Reset breaker/ }).count()).toBe(0);
    await typist.expectFocusOn(/^shop/);
    expect(await running.call("shop__find_order", { order: 7 })).toMatchObject({ isError: false });
  });

  test("see which caller is refused, and open it", async () => {
    const running = await startRunningGateway({ limit: "{ rate: 2/h, burst: 5 }" });
    await Promise.all(Array.from({ length: 20 }, () => running.call("shop__find_order", { order: 7 }, "nightly-sync")));
    const typist = await signInByKeys(running.console);
    await typist.press("g", "c");
    await typist.expectTitle(/^Callers$/);
    await typist.page.getByRole("row", { name: /nightly-sync/ }).waitFor();
    await typist.tabTo(/^Incidents$/);
    await typist.tabTo(/^nightly-sync/);
    await typist.press("Enter");
    await typist.page.waitForURL(/\/console\/callers\/./);
    await typist.expectTitle(/nightly-sync/);
  });

  test("see what changed, of one kind; the table of keys; the way past the head; and out", async () => {
    const running = await startRunningGateway();
    await running.reload((text) => text.replace("rate: 20/s", "rate: 30/s"));
    const typist = await signInByKeys(running.console);
    await typist.press("g", "h");
    await typist.expectText(/limits\.key/);
    // A group of choices is one stop. Its arrows choose.
    await typist.tabTo(/^All$/);
    await typist.press("ArrowRight");
    await typist.page.waitForURL((url) => url.searchParams.has("kind"));
    await typist.expectText(/the-admin signed in/);
    await typist.press("?");
    await typist.expectFocusOn(/^Close/);
    await typist.expectText(/Go to Approve, Deny/);
    await typist.press("Escape");
    await expect.poll(() => typist.page.locator("dialog").count()).toBe(0);
    await typist.expectFocus();
    await typist.press("g", "d");
    await typist.expectTitle(/^Decode/);
    await typist.page.reload();
    await typist.page.locator("h1").first().waitFor();
    await typist.press("Tab");
    await typist.expectFocusOn(/^Skip to the content/);
    await typist.press("Enter");
    await typist.expectFocusOn(/^main$/);
    await typist.page.keyboard.press("Shift+Tab");
    await typist.page.reload();
    await typist.page.locator(".who").waitFor();
    await typist.tabTo(/^Signed in as\s*the-admin/);
    await typist.press("Enter");
    await typist.tabTo(/^Sign out$/);
    await typist.press("Enter");
    await typist.page.waitForURL(/\/console\/sign-in/);
    await typist.expectFocusOn(/^Operator’s key/);
  });
});

/** The name of what has the focus, as the page shows it. It runs in the page. */
function nameOfFocus(): string {
  const { activeElement: focused } = document;
  if (!(focused instanceof HTMLElement) || focused === document.body) return "";
  if (focused.id === "main") return "main";
  const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.innerText : undefined;
  return (focused.getAttribute("aria-label") ?? label ?? focused.innerText).trim();
}

/** What is wrong with the focus; empty if nothing is. It runs in the page. */
function faultOfFocus(): string {
  const { activeElement: focused } = document;
  if (!(focused instanceof HTMLElement) || focused === document.body) return "nothing has the focus";
  // The page itself is no control: nothing marks it.
  if (focused.id === "main") return "";
  const what = focused.outerHTML.slice(0, 120);
  // Of a choice, its label is marked; of the box at the top, the whole box.
  const marked = focused.closest(".seg label")?.querySelector("span") ?? focused.closest(".omni") ?? focused;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(marked);
  const isMarked = (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
  if (!isMarked) return `not marked: ${what}`;
  const { top, bottom, left, right, width, height } = marked.getBoundingClientRect();
  if (width === 0 || height === 0) return `without a size: ${what}`;
  const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return isInside ? "" : `outside the window: ${what}`;
}
