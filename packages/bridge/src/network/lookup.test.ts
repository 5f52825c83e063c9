import { describe, expect, test } from "vitest";
import { get, network, serving, textOf, told } from "../../test/exchanges.ts";

describe("addresses", () => {
  test("are connected to as they were checked, without asking again", async () => {
    const upstream = await serving((hit, response) => response.end(hit.headers["host"] as string));
    const asked: string[] = [];
    const lookup = async (name: string) => [asked.push(name) === 1 ? "127.0.0.1" : "203.0.113.9"];
    const { port } = new URL(upstream.url);
    expect(textOf(await network({ lookup }).send(get(`http://api.example:${port}`)))).toBe(`api.example:${port}`);
    expect(asked).toEqual(["api.example"]);
  });

  test.each([
    ["private", ["10.0.0.1"]],
    ["one of them private", ["1.1.1.1", "127.0.0.1"]],
    ["in another form", ["::ffff:7f00:1"]],
    ["none", []],
    ["no address", ["localhost"]],
  ])("are refused: %s", async (_, found) => {
    const upstream = await serving((_hit, response) => response.end());
    const { port } = new URL(upstream.url);
    const ended = await network({ allowPrivate: false, lookup: async () => found }).send(
      get(`http://api.example:${port}`),
    );
    expect(told(ended)).toEqual({ why: "refused", sent: false });
    expect(upstream.hits).toHaveLength(0);
  });
});
