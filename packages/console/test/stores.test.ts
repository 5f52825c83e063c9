// The console while Redis and PostgreSQL are stopped and started: no page is blank, each part says what it lacks and as of when
// it is, and everything recovers by itself. Two gateways on the same stores accept each other's sessions. By day both stores are
// down at once, and some pages are looked at.
import { CHROMIUM, IN_CHROMIUM } from "@recourse/test-kit/chromium";
import { type Cluster, createCluster } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { isNightly } from "@recourse/test-kit/runs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { followRequests, type Requests, settle } from "../scenes/stage.ts";
import {
  breakShop,
  incidentIn,
  type RunningGateway,
  signIn,
  startRunningGateway,
  Task,
} from "./support/running-gateway.ts";
import { shareWindows } from "./support/windows.ts";

/** What the boundaries of the page say. */
const BROKEN = /page cannot be shown|could not be loaded/;
/** Connections to a store that was down are tried again after pauses. */
const OUTAGE = { timeout: 120_000 } as const;
/** How far the clock of a page goes on at each look: what is down is asked for again, and a silent stream is given up. */
const LOOK_MS = 15_000;

describe.skipIf(CHROMIUM === undefined)(`shared stores${IN_CHROMIUM}`, () => {
  const openWindow = shareWindows();
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await createCluster();
  });
  afterAll(() => cluster?.close());

  /** Each test has breakers of its own: those that another one opened would hold its calls back. */
  async function openStores() {
    const redis = await createRedisServer({ durable: true });
    onTestFinished(() => redis.close());
    return { redis, store: `{ redis: "${redis.url}", postgres: "${cluster.url}" }` };
  }

  const textOf = (page: Page) => page.locator("main").innerText();

  test("two gateways on the same stores: one session for both, and the questions of support and on call", async () => {
    const { store } = await openStores();
    const first = await startRunningGateway({ store });
    const second = await startRunningGateway({ store, shop: first.shop });
    const context = await openWindow();
    const page = await signIn(context, first.console, "viewer");
    await page.getByRole("heading", { level: 1 }).waitFor();
    const id = await failOnce(second);
    const support = new Task(page);
    await support.press("/");
    await page.keyboard.insertText(`If you report this, give incident ${id}.`);
    await support.press("Enter");
    await page.getByRole("heading", { name: "The model read" }).waitFor();
    await expect.poll(() => page.locator(".trip").innerText()).toContain(id);
    support.end("support, shared");
    // The cookie of the first is taken by the second: nobody signs in again.
    await breakShop(second);
    const other = await context.newPage();
    const onCall = new Task(other);
    await other.goto(second.console);
    await expect.poll(() => other.locator("h1").innerText()).toMatch(/^shop is failing\./);
    onCall.end("on call, shared");
    expect(await other.locator(".who").innerText()).toContain("the-viewer");
    await expect.poll(() => textOf(other)).toContain("agent-eu");
    // Signed out at one, signed out at both.
    await page.goto(`${first.console}settings`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in/);
    await other.goto(`${second.console}incidents`);
    await other.waitForURL(/\/sign-in/);
  });

  test("each store is stopped and started while pages are open", { timeout: 600_000 }, async () => {
    const { redis, store } = await openStores();
    const running = await startRunningGateway({ store });
    const id = await failOnce(running);
    const refund = { order: 4711, amount: 249.5, reason: "damaged" };
    await expect.poll(async () => (await running.call("shop__refund", refund)).text).toContain("approve");
    const context = await openWindow();
    await context.clock.install();
    const now = await signIn(context, running.console);
    /** Where each page is, and what only it says while all is well. */
    const pages = [
      { path: "", says: /Required service unreachable/, isByDay: true },
      { path: "incidents", says: /Required service unreachable/, isByDay: true },
      { path: `i/${id}`, says: /The model read/ },
      { path: "approvals", says: /shop__refund/ },
      { path: "upstreams", says: /Reached by/, isByDay: true },
      { path: "callers", says: /agent-eu/ },
      { path: "changes", says: /the-admin signed in/ },
    ].filter(({ isByDay }) => isNightly || isByDay);
    const open = await Promise.all(
      pages.map(async ({ path, says }) => {
        const page = path === "" ? now : await context.newPage();
        if (path !== "") await page.goto(`${running.console}${path}`);
        await expect.poll(() => textOf(page)).toMatch(says);
        return { path, says, page };
      }),
    );
    const requestsOf = new Map<Page, Requests>();
    /** What a page says after its next questions. Its clock goes on at each look, so that nobody waits for its pauses. */
    const look = async <T>(page: Page, read: () => Promise<T>): Promise<T> => {
      const requests = requestsOf.get(page) ?? followRequests(page);
      requestsOf.set(page, requests);
      await page.clock.fastForward(LOOK_MS);
      await settle(page, requests);
      return read();
    };
    const expectVerdict = (verdict: RegExp) =>
      expect.poll(() => look(now, () => now.locator("h1").innerText()), OUTAGE).toMatch(verdict);
    /** Pages that were open keep what they had; the same pages, opened now, say what is down. */
    const lookAround = async ({ faults }: { readonly faults: readonly string[] }) => {
      const fresh = await context.newPage();
      for (const { path, says, page } of open) {
        expect(await textOf(page), `${path}, kept`).toMatch(says);
        expect(await textOf(page), `${path}, kept`).not.toMatch(BROKEN);
        await fresh.goto(`${running.console}${path}`);
        await fresh.locator("h1").first().waitFor({ state: "attached" });
        await expect.poll(() => fresh.locator(".bones.shown").count(), { message: `${path}, fresh` }).toBe(0);
        await expect.poll(async () => (await textOf(fresh)).length, { message: `${path}, fresh` }).toBeGreaterThan(20);
        if (faults.includes(path)) await fresh.locator(".part-away").first().waitFor();
        expect(await textOf(fresh), `${path}, fresh`).not.toMatch(BROKEN);
      }
      await fresh.close();
    };
    /** Nobody touches them, and all is well again. */
    const expectRecovery = async () => {
      for (const { path, says, page } of open) {
        await expect
          .poll(() => look(page, () => page.locator(".part-away, .strip").count()), { message: path, ...OUTAGE })
          .toBe(0);
        expect(await textOf(page), path).toMatch(says);
      }
      await expectVerdict(/^(?:A few calls fail|\d+ of \d+ calls failed)/);
    };
    const faultsOfDatabase = ["", "incidents", `i/${id}`, "approvals", "callers", "changes"];

    if (isNightly) {
      await cluster.kill();
      await expectVerdict(/^The database is down\./);
      await expect.poll(() => textOf(now)).toMatch(/As of \d\d:\d\d:\d\d\./);
      await lookAround({ faults: faultsOfDatabase });
      await cluster.start();
      await expectRecovery();

      await redis.kill();
      await expectVerdict(/ down\./);
      await lookAround({ faults: [] });
      await redis.start();
      await expectRecovery();
    }

    await Promise.all([cluster.kill(), redis.kill()]);
    await expectVerdict(/ down\./);
    await expect.poll(() => textOf(now)).toMatch(/As of \d\d:\d\d:\d\d\./);
    await lookAround({ faults: faultsOfDatabase });
    // A session needs no store: somebody else can come and look.
    const window = await openWindow();
    await window.clock.install();
    const visitor = await signIn(window, `${running.console}incidents`, "viewer");
    await visitor.locator(".part-away").first().waitFor();
    await Promise.all([cluster.start(), redis.start()]);
    await expectRecovery();
    // What was opened while they were down fills by itself.
    await expect.poll(() => look(visitor, () => textOf(visitor)), OUTAGE).toMatch(/Required service unreachable/);
  });
});

/** A call that fails, and its incident. While the limits wait for a new Redis, calls are refused. */
async function failOnce({ call }: RunningGateway): Promise<string> {
  let text = "";
  await expect
    .poll(async () => {
      text = (await call("shop__find_order", { order: 8 })).text;
      return text;
    })
    .toContain("incident");
  return incidentIn(text);
}
