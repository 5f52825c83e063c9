import { expect, onTestFinished, test, vi } from "vitest";
import { consoleBase } from "../api/client.ts";
import { isNoAnswer, retryDelayMs } from "./reach.ts";
import { readNext } from "./session.ts";
import { documentTitle } from "./title.ts";

const BASE = new URL("https://edge.example:9443/ops/console/");

test.each([
  [null, "/ops/console/"],
  ["", "/ops/console/"],
  ["/ops/console/i/01M7?with=2", "/ops/console/i/01M7?with=2"],
  ["approvals?state=pending", "/ops/console/approvals?state=pending"],
  ["https://edge.example:9443/ops/console/changes", "/ops/console/changes"],
  ["https://evil.example/ops/console/", "/ops/console/"],
  ["https://edge.example/ops/console/", "/ops/console/"],
  ["//evil.example/ops/console/", "/ops/console/"],
  ["/\\evil.example/ops/console/", "/ops/console/"],
  ["javascript:alert(1)", "/ops/console/"],
  ["data:text/html,x", "/ops/console/"],
  ["../admin/v1/keys", "/ops/console/"],
  ["/ops/console/../../x", "/ops/console/"],
  ["/ops/console/sign-in?next=/ops/console/sign-in", "/ops/console/"],
  ["http://[", "/ops/console/"],
])("after signing in with next=%j it goes to %s", (next, to) => {
  expect(readNext(next, BASE)).toBe(to);
});

test.each(["/console/", "/ops/console/i/01M7", "//evil.example/console/", "/x", "/console//evil.example/console/"])(
  "at the path %s the console is at its own origin",
  (pathname) => {
    vi.stubGlobal("window", { location: { origin: BASE.origin, pathname } });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(consoleBase().origin).toBe(BASE.origin);
  },
);

test("tries again after 1, 2, 4 … 30 s", () => {
  expect([0, 1, 2, 3, 4, 5, 20].map(retryDelayMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test("what counts as no answer", () => {
  expect(isNoAnswer("incidents", { status: 0, reason: "console/no_answer" })).toBe(true);
  expect(isNoAnswer("incidents", { status: 502, reason: "" })).toBe(true);
  expect(isNoAnswer("incidents", { status: 503, reason: "core/unavailable" })).toBe(false);
  expect(isNoAnswer("overview?range=1h", { status: 503, reason: "core/unavailable" })).toBe(true);
  expect(isNoAnswer("overview?range=1h", { status: 401, reason: "" })).toBe(false);
});

test("the title of the document", () => {
  expect(documentTitle({ page: "Now", gateway: "edge" })).toBe("Now · edge · Recourse");
  expect(documentTitle({ page: "Now", gateway: "edge", waiting: 2 })).toBe("(2) Now · edge · Recourse");
  expect(documentTitle({ page: "Sign in", waiting: 0 })).toBe("Sign in · Recourse");
  expect(documentTitle({ page: "a\u202Eb" })).toBe("a⟨U+202E⟩b · Recourse");
});
