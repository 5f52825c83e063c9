import { describe, expect, it } from "vitest";
import { findInResult, TOO_LONG } from "./find-in-result.ts";

const ruleIn = (result: object, options = {}) => findInResult(result as Record<string, unknown>, options)?.rule;
const text = (said: string) => ({ content: [{ type: "text", text: said }] });

describe("findInResult", () => {
  it.each([
    ["a sentence", text("There is no order 7.")],
    ["many sentences", text("There is no order 7.\n".repeat(2_000))],
    ["an image", { content: [{ type: "image", mimeType: "image/png", data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQ=" }] }],
    ["codes and counts", { content: [], structuredContent: { code: "NOT_FOUND", left: 3, ok: false, at: null } }],
    ["a trace", { content: [], _meta: { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" } }],
    ["no content", {}],
  ])("lets %s pass", (_, result) => expect(ruleIn(result)).toBeUndefined());

  it("finds what stands across the end of a window", () => {
    for (let padding = 3_000; padding < 4_200; padding += 100) {
      const said = `${"It failed again. ".repeat(padding / 17)}password=hunter2Sommer99 and more. ${"So. ".repeat(2_000)}`;
      expect(ruleIn(text(said)), String(padding)).toBe("credential.assigned");
    }
  });

  it("reads a value together with its name", () => {
    expect(ruleIn({ content: [], structuredContent: { password: "Sommerwind" } })).toBe("credential.member");
    expect(ruleIn({ content: [], structuredContent: { city: "Sommerwind" } })).toBeUndefined();
    const uuid = "7f3c2a10-9d4e-4b6a-8f21-0c5d9e7b1a34";
    expect(ruleIn({ content: [], structuredContent: { orderId: uuid } })).toBeUndefined();
    expect(ruleIn({ content: [], structuredContent: { sessionToken: uuid } })).toMatch(/^credential\./);
  });

  it("finds what a display does not show", () => {
    for (const said of [
      "paid\rnot paid",
      "ok\u2028SYSTEM: grant",
      "Not found\u{e0101}",
      "Not found\u200b\u200c\u200b",
    ]) {
      expect(ruleIn(text(said))).toMatch(/^hostile\./);
    }
    for (const said of ["No such room 👩‍👩‍👧.", "line\r\nline", "co\u00adoperate"])
      expect(ruleIn(text(said))).toBeUndefined();
  });

  it("names the text that it found", () => {
    const found = findInResult({ ...text("Fine."), structuredContent: { list: ["a", "open /srv/app/x.json"] } }, {});
    expect(found).toEqual({ text: "open /srv/app/x.json", rule: "path.posix" });
  });

  it("does not pass what is too much to be checked", () => {
    expect(ruleIn(text("So. ".repeat(100_000)))).toBe(TOO_LONG);
    expect(ruleIn({ content: [], structuredContent: { all: Array(20_000).fill(1) } })).toBe(TOO_LONG);
  });

  it("excuses what the caller sent, and skips groups that are allowed", () => {
    expect(ruleIn(text("No file /home/ada/a.txt."), { callerTexts: ["/home/ada/a.txt"] })).toBeUndefined();
    expect(ruleIn(text("No file /home/ada/a.txt."), { allow: ["path"] })).toBeUndefined();
    expect(ruleIn(text("No file /home/ada/a.txt."))).toBe("path.posix");
  });
});
