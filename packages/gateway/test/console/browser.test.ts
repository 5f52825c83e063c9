// The console in a real browser: its policy, its cookie, and pages of other ports of the same host, which browsers call the same site.
import { CHROMIUM, fetchInPage, IN_CHROMIUM, startChromium, startSite } from "@recourse/test-kit/chromium";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ADMIN, APPROVAL_ID, keyOf, startTestAdmin } from "../admin/support.ts";
import { builtConsole, CONSOLE } from "./support.ts";

let browser: Browser | undefined;
beforeAll(async () => {
  if (CHROMIUM !== undefined) browser = await startChromium();
});
afterAll(() => browser?.close());

/** A page of the console in which somebody is signed in. */
async function openSignedIn() {
  if (browser === undefined) throw new Error("no browser");
  const admin = await startTestAdmin({ consoleFolder: builtConsole() }, { admin: { ...ADMIN, console: CONSOLE } });
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const messages: string[] = [];
  page.on("console", (message) => void (message.type() === "log" || messages.push(message.text())));
  page.on("pageerror", (error) => void messages.push(error.message));
  const { origin } = admin.url;
  await page.goto(`${origin}/`);
  const headers = { "content-type": "application/json", "x-recourse-console": "1" };
  const signedIn = await fetchInPage(page, {
    ...{ url: `${origin}/console/session`, headers, body: JSON.stringify({ key: keyOf("admin") }) },
  });
  return { ...admin, origin, context, page, messages, headers, signedIn };
}

describe.skipIf(CHROMIUM === undefined)(`in a browser${IN_CHROMIUM}`, () => {
  it("the page runs under its policy, and no script reads the cookie", async () => {
    const { page, origin, context, messages, signedIn } = await openSignedIn();
    expect(page.url()).toBe(`${origin}/console/`);
    expect(signedIn).toMatchObject({ status: 200 });
    expect(await page.evaluate("document.cookie")).toBe("");
    expect(await context.cookies()).toMatchObject([
      { name: "recourse_console", httpOnly: true, sameSite: "Strict", path: "/", secure: false },
    ]);
    const me = await fetchInPage(page, { url: `${origin}/admin/v1/me`, method: "GET" });
    expect(me).toMatchObject({ status: 200, text: expect.stringContaining('"via":"session"') });
    await page.goto(`${origin}/console/i/01M7?with=x`);
    expect(messages).toEqual([]);
    const script = `() => { try { document.body.innerHTML = "<b>x</b>"; return "set" } catch { return "refused" } }`;
    expect(await page.evaluate(`(${script})()`)).toBe("refused");
  });

  it("changes of the console pass, and a sign-out ends the session", async () => {
    const { page, origin, headers, audit } = await openSignedIn();
    const url = `${origin}/admin/v1/approvals/${APPROVAL_ID}/decision`;
    const decided = await fetchInPage(page, { url, headers, body: '{"approve":false}' });
    expect(decided).toMatchObject({ status: 200 });
    expect((await audit?.list({ limit: 1 }))?.[0]).toMatchObject({ facts: { via: "console" } });
    const out = await fetchInPage(page, { url: `${origin}/console/session`, method: "DELETE", headers, body: "{}" });
    expect(out).toMatchObject({ status: 204 });
    expect(await fetchInPage(page, { url: `${origin}/admin/v1/me`, method: "GET" })).toMatchObject({ status: 401 });
  });

  it("a page of another port gets nothing, although the browser sends it the cookie", async () => {
    const { context, origin, audit } = await openSignedIn();
    const site = await startSite();
    onTestFinished(() => site.close());
    const evil = await context.newPage();
    await evil.goto(site.byAddress);
    const cookies: (string | undefined)[] = [];
    const statuses: number[] = [];
    evil.on("response", async (response) => {
      statuses.push(response.status());
      cookies.push((await response.request().allHeaders())["cookie"]);
    });
    const decision = `${origin}/admin/v1/approvals/${APPROVAL_ID}/decision`;
    for (const [url, method] of [
      [decision, "POST"],
      [`${origin}/console/session`, "POST"],
      [`${origin}/admin/v1/health`, "GET"],
    ] as const)
      await evil.evaluate(
        ([to, by]) =>
          fetch(to, {
            method: by,
            mode: "no-cors",
            credentials: "include",
            ...(by === "POST" && { body: '{"approve":true}', headers: { "content-type": "text/plain" } }),
          }).then(
            () => undefined,
            () => undefined,
          ),
        [url, method] as const,
      );
    // A form needs no script of ours, and follows no rule of fetch.
    await evil.evaluate(`{
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: ${JSON.stringify(decision)}, enctype: "text/plain" });
      document.body.append(form);
      form.submit();
    }`);
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(4);
    expect(new Set(statuses)).toEqual(new Set([403]));
    await expect.poll(() => cookies.filter((one) => one?.startsWith("recourse_console=v1."))).not.toEqual([]);
    expect((await audit?.list({ limit: 10 }))?.map(({ action }) => action)).toEqual(["console.sign-in"]);
  });

  it("a page of another port can neither frame, embed nor connect", async () => {
    const { context, origin, audit } = await openSignedIn();
    const site = await startSite();
    onTestFinished(() => site.close());
    for (const at of [site.byAddress, site.byName]) {
      const evil = await context.newPage();
      await evil.goto(at);
      const got = await evil.evaluate(`(${REACH_FOR_CONSOLE})(${JSON.stringify(origin)})`);
      expect(got).toEqual({
        ...{ image: "error", script: "error", asset: "error", framed: "hidden" },
        ...{ connected: "error", read: expect.stringMatching(/^(?:gone|hidden)$/) },
      });
      await evil.close();
    }
    expect(await audit?.list({ limit: 10 })).toHaveLength(1);
  });

  it("a page without an origin of its own gets nothing", async () => {
    const { context, origin, audit } = await openSignedIn();
    const site = await startSite();
    onTestFinished(() => site.close());
    const evil = await context.newPage();
    await evil.goto(site.byAddress);
    const statuses: number[] = [];
    context.on("response", (response) => void (response.url().startsWith(origin) && statuses.push(response.status())));
    const script = `Promise.allSettled([["/admin/v1/approvals/${APPROVAL_ID}/decision", "POST"],
      ["/console/session", "POST"], ["/admin/v1/me", "GET"]].map(([path, method]) =>
      fetch("${origin}" + path, { method, credentials: "include", ...(method === "POST" && { body: "{}" }) })))
      .then((ends) => parent.postMessage([origin, ...ends.map(({ status }) => status)], "*"))`;
    const ends = await evil.evaluate(`(${RUN_SANDBOXED})(${JSON.stringify(script)})`);
    // Some browsers do not even send these.
    expect(ends).toEqual(["null", "rejected", "rejected", "rejected"]);
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(await audit?.list({ limit: 10 })).toHaveLength(1);
  });
});

// Code for pages is text: the programs of the gateway know no documents.

/** Tries every way in which a page can reach another one. */
const REACH_FOR_CONSOLE = `async (to) => {
  const element = (name, members) =>
    new Promise((done) => {
      const made = Object.assign(document.createElement(name), members);
      made.addEventListener("load", () => done("loaded"));
      made.addEventListener("error", () => done("error"));
      document.body.append(made);
    });
  const frame = document.createElement("iframe");
  const framed = await new Promise((done) => {
    frame.addEventListener("load", () => {
      try {
        done(frame.contentDocument === null ? "hidden" : \`shown \${frame.contentDocument.body.innerText}\`);
      } catch {
        done("hidden");
      }
    });
    frame.src = \`\${to}/console/\`;
    document.body.append(frame);
  });
  const socket = new WebSocket(\`\${to.replace("http", "ws")}/admin/v1/overview\`);
  const connected = await new Promise((done) => {
    socket.onopen = () => done("open");
    socket.onerror = () => done("error");
  });
  const opened = window.open(\`\${to}/console/\`);
  let read;
  while (read === undefined) {
    try {
      if (opened === null || opened.closed) read = "gone";
      else if (opened.location.href !== "about:blank") read = String(opened.document.title);
    } catch {
      read = "hidden";
    }
    // No event tells one page that another has come.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    image: await element("img", { src: \`\${to}/admin/v1/health\` }),
    script: await element("script", { src: \`\${to}/admin/v1/me\` }),
    asset: await element("script", { src: \`\${to}/console/assets/index-abc.js\` }),
    ...{ framed, connected, read },
  };
}`;

/** Runs a script in a frame that has no origin of its own, and gives what it posts. */
const RUN_SANDBOXED = `(text) => new Promise((resolve) => {
  addEventListener("message", ({ data }) => resolve(data), { once: true });
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-forms");
  frame.srcdoc = "<script>" + text + "</" + "script>";
  document.body.append(frame);
})`;
