// The six questions that people open the console with, each on a real gateway in Chromium, with the clicks and seconds it took.
import { CHROMIUM, IN_CHROMIUM } from "@recourse/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { SIZES } from "../scenes/stage.ts";
import { breakShop, incidentIn, OPERATOR_KEYS, signIn, startRunningGateway, Task } from "./support/running-gateway.ts";
import { shareWindows } from "./support/windows.ts";

describe.skipIf(CHROMIUM === undefined)(`the six questions${IN_CHROMIUM}`, () => {
  const openWindow = shareWindows();

  test("support: a user gave me an incident id", async () => {
    const running = await startRunningGateway();
    const { text } = await running.call("shop__find_order", { order: 8 });
    const id = incidentIn(text);
    const page = await signIn(await openWindow(), running.console, "viewer");
    await page.getByRole("heading", { level: 1 }).waitFor();
    const task = new Task(page);
    await task.press("/");
    await page.keyboard.insertText(`If you report this, give incident ${id}.`);
    await task.press("Enter");
    await page.getByRole("heading", { name: "The model read" }).waitFor();
    const columns = page.locator(".trip");
    await expect.poll(() => columns.innerText()).toContain(id);
    const shown = await columns.innerText();
    task.end("support");
    expect(shown).toMatch(/The model read[\s\S]*What happened[\s\S]*What to do/);
    expect(shown).not.toContain("orders-pass-77");
    // No scroll: all three columns begin and end on the first screen.
    const box = await columns.boundingBox();
    expect(box?.y).toBeLessThan(SIZES.desktop.height);
    expect(page.url()).toContain(`/console/i/${id}`);
  });

  test("on call: what is failing now, and for whom", async () => {
    const running = await startRunningGateway();
    await breakShop(running);
    const page = await signIn(await openWindow(), running.console, "viewer");
    const task = new Task(page);
    const verdict = page.getByRole("heading", { level: 1 });
    await expect.poll(() => verdict.innerText()).toMatch(/^shop is failing\./);
    task.end("on call");
    await expect.poll(() => page.locator("main").innerText()).toContain("agent-eu");
  });

  test("approver: may this call run", async () => {
    const running = await startRunningGateway();
    const asked = await running.call("shop__refund", { order: 4711, amount: 249.5, reason: "damaged" });
    const id = incidentIn(asked.text);
    const page = await signIn(await openWindow("mobile"), `${running.console}approvals/${id}`, "approver");
    const task = new Task(page);
    const approve = page.getByRole("button", { name: /^Approve once/ });
    await approve.waitFor();
    const fold = SIZES.mobile.height;
    for (const part of [approve, page.getByRole("button", { name: /^Deny/ }), page.getByText("249.5").first()]) {
      const box = await part.boundingBox();
      expect((box?.y ?? fold) + (box?.height ?? 0)).toBeLessThanOrEqual(fold);
    }
    await task.click(/^Approve once/);
    await page.getByText(/^Approved\. The caller may make this call until/).waitFor();
    task.end("approver");
    const done = await running.call("shop__refund", { order: 4711, amount: 249.5, reason: "damaged" });
    expect(done).toEqual({ text: "Refunded.", isError: false });
    expect(running.shop.refunds).toEqual([{ order: 4711, amount: 249.5, reason: "damaged" }]);
  });

  test("approver: two browsers decide at once, and one decision counts", async () => {
    const running = await startRunningGateway();
    const asked = await running.call("shop__refund", { order: 1, amount: 2, reason: "late" });
    const address = `${running.console}approvals/${incidentIn(asked.text)}`;
    const pages = await Promise.all(
      (["approver", "admin"] as const).map(async (role) => signIn(await openWindow(), address, role)),
    );
    const names = [/^Approve once/, /^Deny/] as const;
    const buttons = await Promise.all(
      pages.map((page, at) => page.getByRole("button", { name: names[at] ?? "" }).elementHandle()),
    );
    // The decision of one takes the buttons of the other away: a person at a pointer would wait for them.
    await Promise.all(buttons.map((button) => button?.evaluate((element) => (element as HTMLElement).click())));
    const results = await Promise.all(
      pages.map(async (page) => {
        const said = page.getByText(/^(?:Approved\.|Denied\.|Already )/).first();
        await said.waitFor();
        return said.innerText();
      }),
    );
    expect(results.filter((text) => text.startsWith("Already"))).toHaveLength(1);
  });

  test("on call: is the breaker open, and can I reset it", async () => {
    const running = await startRunningGateway();
    await breakShop(running);
    const context = await openWindow();
    const page = await signIn(context, `${running.console}upstreams`);
    const task = new Task(page);
    await expect.poll(() => page.locator("main").innerText()).toMatch(/shop[\s\S]*(?:held back|open)/);
    await running.shop.start();
    await task.click(/^Reset/);
    await page.getByRole("dialog").waitFor();
    await task.click(/^Reset/, "button", page.getByRole("dialog"));
    await page.getByText("The breaker of shop is closed.").first().waitFor();
    task.end("on call, breaker");
    expect(await running.call("shop__find_order", { order: 7 })).toMatchObject({ isError: false });
  });

  test("a breaker that opens is seen in a second tab without a click", async () => {
    const running = await startRunningGateway();
    await running.call("shop__find_order", { order: 7 });
    const context = await openWindow();
    const first = await signIn(context, running.console);
    const second = await context.newPage();
    const statuses: number[] = [];
    second.on("response", (response) => void (/overview/.test(response.url()) && statuses.push(response.status())));
    await second.goto(running.console);
    await second
      .getByText(/^Nothing is failing\.|A few calls fail/)
      .first()
      .waitFor();
    // As long as nothing changes, nothing is loaded again.
    await expect.poll(() => statuses).toContain(304);
    await breakShop(running);
    for (const tab of [second, first])
      await expect.poll(() => tab.getByRole("heading", { level: 1 }).innerText()).toMatch(/^shop is failing\./);
  });

  test("owner: which key hits its limits", async () => {
    const running = await startRunningGateway({ limit: "{ rate: 2/h, burst: 5 }" });
    await Promise.all(Array.from({ length: 20 }, () => running.call("shop__find_order", { order: 7 }, "nightly-sync")));
    const page = await signIn(await openWindow(), running.console);
    const task = new Task(page);
    await task.click("Callers", "link");
    const row = page.getByRole("row", { name: /nightly-sync/ });
    await expect.poll(() => row.first().innerText()).toMatch(/key/);
    task.end("owner");
    await expect.poll(() => page.locator("main").innerText()).toContain("2 an hour");
  });

  test("later: what changed", async () => {
    const running = await startRunningGateway();
    await running.reload((text) => text.replace("rate: 20/s", "rate: 30/s"));
    const page = await signIn(await openWindow(), running.console);
    const task = new Task(page);
    await task.click("Changes", "link");
    await expect.poll(() => page.locator("main").innerText()).toMatch(/limits\.key/);
    task.end("later");
    expect(await page.locator("main").innerText()).toMatch(/the-admin signed in/);
  });

  test("the way in: a wrong key, then the right one, and the page that was asked for", async () => {
    const running = await startRunningGateway();
    const page = await (await openWindow()).newPage();
    await page.goto(`${running.console}changes`);
    await page.locator("input[type=password]").fill("not-a-key");
    await page.keyboard.press("Enter");
    await page.getByText("This key is not accepted.").waitFor();
    await page.locator("input[type=password]").fill(OPERATOR_KEYS.viewer);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/console\/changes$/);
    expect(
      await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie })),
    ).not.toContain("rk_");
  });
});
