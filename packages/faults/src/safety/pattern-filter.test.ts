import { describe, expect, it } from "vitest";
import { findPattern } from "./pattern-filter.ts";

describe("findPattern", () => {
  it("returns the first rule that matches a text", () => {
    expect(findPattern("open /etc/passwd")).toBe("path.posix");
    expect(findPattern("ask jane.roe@example.org about /etc/passwd")).toBe("personal.email");
    expect(findPattern("Call list_channels first.")).toBe(undefined);
  });

  it("skips the groups that are allowed, and only those", () => {
    expect(findPattern("open /etc/passwd", { allow: ["path"] })).toBe(undefined);
    expect(findPattern("open /etc/passwd", { allow: ["host"] })).toBe("path.posix");
    expect(findPattern("ENOENT, open /etc/passwd", { allow: ["path"] })).toBe("system.errno");
  });

  it("reads the text as it is and without its escapes", () => {
    expect(findPattern("ｐａｓｓｗｏｒｄ＝hunter2")).toBe("credential.assigned");
    expect(findPattern("next=password%3Dhunter2")).toBe("credential.assigned");
    expect(findPattern('got {\\"pwd\\":\\"hunter2\\"}')).toBe("credential.member");
    expect(findPattern("/e\u200btc/passwd")).toBe("path.posix");
  });
});

describe("remembering texts that passed", () => {
  it("gives the same answer the second time, also after many other texts", () => {
    expect(findPattern("No such channel.")).toBe(undefined);
    for (let i = 0; i < 600; i++) expect(findPattern(`No such channel as number ${i % 90}.`)).toBe(undefined);
    expect(findPattern("No such channel.")).toBe(undefined);
    expect(findPattern("open /etc/passwd")).toBe("path.posix");
    expect(findPattern("open /etc/passwd")).toBe("path.posix");
  });

  it("does not remember a text that passed only because a group was allowed", () => {
    expect(findPattern("open /etc/shadow", { allow: ["path"] })).toBe(undefined);
    expect(findPattern("open /etc/shadow")).toBe("path.posix");
  });

  it("does not remember a text that passed only because it repeats its caller", () => {
    expect(findPattern("No file at /etc/motd", { callerTexts: ["/etc/motd"] })).toBe(undefined);
    expect(findPattern("No file at /etc/motd")).toBe("path.posix");
    expect(findPattern("No file at /etc/motd", { callerTexts: ["/etc/mot"] })).toBe("path.posix");
  });
});
