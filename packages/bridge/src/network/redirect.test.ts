import { describe, expect, test } from "vitest";
import { get, network, serving, textOf, told } from "../../test/exchanges.ts";
import type { Answer, Upstream } from "../../test/upstream.ts";
import type { SendOptions } from "./network.ts";

describe("redirects", () => {
  const base = (upstream: Upstream): SendOptions => ({ base: new URL(`${upstream.url}/api`) });
  const hop = (to: string, status = 302): Answer => {
    return (hit, response) =>
      hit.target === "/api/a" ? response.writeHead(status, { location: to }).end() : response.end("there");
  };

  test("are not followed unless told", async () => {
    const upstream = await serving(hop("/api/b"));
    expect(told(await network().send(get(`${upstream.url}/api/a`), base(upstream)))).toMatchObject({ status: 302 });
    expect(upstream.hits).toHaveLength(1);
  });

  test("of reading requests are followed below the base", async () => {
    const upstream = await serving(hop("b?c=1"));
    const ended = await network({ redirects: "same-origin" }).send(get(`${upstream.url}/api/a`), base(upstream));
    expect(textOf(ended)).toBe("there");
    expect(upstream.hits.map((hit) => hit.target)).toEqual(["/api/a", "/api/b?c=1"]);
  });

  test.each([
    ["elsewhere", "http://127.0.0.2:1/api/b", "GET", 302],
    ["to another scheme", "file:///etc/passwd", "GET", 302],
    ["above the base", "/admin", "GET", 302],
    ["above the base by dots", "/api/../admin", "GET", 302],
    ["beside the base", "/apis/b", "GET", 302],
    ["with a name and a password", "//u:p@127.0.0.1/api/b", "GET", 302],
    ["of a write", "/api/b", "POST", 307],
    ["to a page about it", "/api/b", "GET", 303],
  ] as const)("are not followed %s", async (_, to, method, status) => {
    const upstream = await serving(hop(to, status));
    const ended = await network({ redirects: "same-origin" }).send(
      get(`${upstream.url}/api/a`, { method }),
      base(upstream),
    );
    expect(told(ended)).toMatchObject({ status });
    expect(upstream.hits).toHaveLength(1);
  });

  test("end after three", async () => {
    const upstream = await serving((_, response) => response.writeHead(302, { location: "/api/a" }).end());
    const ended = await network({ redirects: "same-origin" }).send(get(`${upstream.url}/api/a`), base(upstream));
    expect(told(ended)).toMatchObject({ status: 302 });
    expect(upstream.hits).toHaveLength(4);
  });
});
