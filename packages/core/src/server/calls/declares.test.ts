import { type AnyServer, connectPair, ERAS, type SdkPair } from "@recourse/test-kit/sdk-pairs";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { closient, type Dialect, mcp, onx, platica, qaqnuz } from "../../dialects/index.ts";
import { defineReasons, type Fault, slot } from "../../index.ts";
import { adapter, core } from "../../reasons/index.ts";
import { declares, type GuardOptions, guard } from "../index.ts";
import { failureTable } from "./declared-codes.ts";

const shop = defineReasons("shop", {
  no_order: {
    kind: "not_found",
    text: "There is no order {order}[ of {name}].",
    slots: { order: slot.integer, name: slot.optional(slot.text(20)) },
  },
  gone: { kind: "not_found", text: "It is not there." },
  wrong: { kind: "invalid_input", text: "That is a|b, not an order." },
});

function build(options: GuardOptions) {
  return (server: AnyServer): AnyServer => {
    const register = (name: string, _meta: object | undefined) =>
      server.registerTool(name, { inputSchema: z.object({}), ...(_meta && { _meta }) }, () => ({ content: [] }));
    register("cancel", { other: 1, ...declares(shop.no_order, shop.wrong, core.rate_limited) });
    register("ping", declares());
    register("free", undefined);
    // As it arrives from elsewhere: names only.
    register("relayed", { "recourse/declares": ["core/conflict", "elsewhere/unknown"] });
    return guard(server, { sink: () => {}, ...options });
  };
}

let pair: SdkPair | undefined;
afterEach(() => pair?.close());

async function metaOf(era: (typeof ERAS)[number], options: GuardOptions) {
  pair = await connectPair(era, build(options));
  const { tools } = (await pair.client.listTools()) as { tools: readonly { name: string; _meta?: object }[] };
  return Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta]));
}

describe.each(ERAS)("tools/list of a guarded server, %s", (era) => {
  test("has the codes of its dialect", async () => {
    const meta = await metaOf(era, { dialect: closient });
    expect(meta["cancel"]).toEqual({
      other: 1,
      "recourse/declares": ["shop/no_order", "shop/wrong", "core/rate_limited"],
      "recourse/codes": [-32200, -32101, -32003],
    });
    expect(meta["ping"]).toEqual({ "recourse/declares": [] });
    expect(meta["free"]).toBeUndefined();
    expect(meta["relayed"]).toMatchObject({
      "recourse/codes": [-32201, null],
    });
  });

  test("has the codes of the dialect that tool calls are answered in", async () => {
    const asked: string[] = [];
    const dialect = ({ method }: { method: string }) => {
      asked.push(method);
      return (method === "tools/call" ? qaqnuz : mcp) as Dialect<unknown>;
    };
    expect((await metaOf(era, { dialect }))["cancel"]).toMatchObject({
      "recourse/codes": ["terminal", "validation", "retryable"],
    });
    expect(asked).toEqual(["tools/call"]);
  });
});

describe("failureTable", () => {
  const tools = [
    { name: "cancel", _meta: declares(shop.no_order, shop.wrong, shop.gone, core.rate_limited) },
    { name: "ping", _meta: declares() },
    { name: "free" },
  ];

  test("has a line for each tool and code", () => {
    expect(failureTable(tools, { dialect: closient })).toBe(
      [
        "| tool | code | meaning | retry |",
        "| --- | --- | --- | --- |",
        "| `cancel` | -32200 | There is no order ‹order›. (shop/no_order)<br>It is not there. (shop/gone) | no |",
        "| `cancel` | -32101 | That is a\\|b, not an order. (shop/wrong) | no |",
        "| `cancel` | -32003 | The rate limit is reached. (core/rate_limited) | yes |",
        "| `ping` | none | | |",
        "",
      ].join("\n"),
    );
  });

  test("shows what a list from elsewhere says where the reason is not known here", async () => {
    pair = await connectPair("v2 modern", build({ dialect: closient }));
    const { tools } = JSON.parse(JSON.stringify(await pair.client.listTools()));
    const listed = failureTable(tools, { dialect: closient }).split("\n").slice(2, -1);
    expect(listed).toEqual([
      "| `cancel` | -32200 | unknown (`shop/no_order`) | unknown |",
      "| `cancel` | -32101 | unknown (`shop/wrong`) | unknown |",
      "| `cancel` | -32003 | The rate limit is reached. (core/rate_limited) | yes |",
      "| `ping` | none | | |",
      "| `relayed` | -32201 | The call conflicts with the current state. (core/conflict) | no |",
      "| `relayed` | – | unknown (`elsewhere/unknown`) | unknown |",
    ]);
  });

  test("joins a reason that is not known here with others of its code", () => {
    const _meta = {
      "recourse/declares": ["core/not_found", "a/b", "core/rate_limited", "a/c", "a/d", 7],
      "recourse/codes": [-32200, -32200, -32003, -32003, "gone", {}],
    };
    expect(
      failureTable([{ name: "t", _meta }], { dialect: closient })
        .split("\n")
        .slice(2, -1),
    ).toEqual([
      "| `t` | -32200 | Not found. (core/not_found)<br>unknown (`a/b`) | unknown |",
      "| `t` | -32003 | The rate limit is reached. (core/rate_limited)<br>unknown (`a/c`) | yes |",
      "| `t` | gone | unknown (`a/d`) | unknown |",
      "| `t` | – | unknown (`7`) | unknown |",
    ]);
  });

  test("stays a table whatever the names are", () => {
    const _meta = { "recourse/declares": ["a|b\n| c", "core/conflict"], "recourse/codes": ["`|<b>", null] };
    const lines = failureTable(
      [
        { name: "a|b`c\nd\\", _meta },
        { name: "", _meta: declares() },
      ],
      { dialect: closient },
    );
    const name = "<code>a&#124;b&#96;c d&#92;</code>";
    expect(lines.split("\n").slice(2, -1)).toEqual([
      `| ${name} | <code>&#96;&#124;&#60;b&#62;</code> | unknown (<code>a&#124;b &#124; c</code>) | unknown |`,
      `| ${name} | -32201 | The call conflicts with the current state. (core/conflict) | no |`,
      "| <code></code> | none | | |",
    ]);
    const { path } = defineReasons("disk", { path: { kind: "conflict", text: "It is C:\\|D." } });
    expect(failureTable([{ name: "t", _meta: declares(path) }], { dialect: closient })).toContain("It is C:\\\\\\|D.");
  });

  test("knows the values that a reason always has", () => {
    const slots = { originalError: slot.oneOf(["SOLD_OUT"]), colour: slot.oneOf(["red", "blue"]) };
    const { sold_out } = defineReasons("depot", { sold_out: { kind: "conflict", text: "It is sold out.", slots } });
    const seen: unknown[] = [];
    const codes = {
      codeOf: ({ params }: Fault) => {
        seen.push(params);
        return 7;
      },
      published: () => ({}),
    };
    const table = failureTable([{ name: "t", _meta: declares(sold_out) }], { dialect: { ...closient, codes } });
    expect(table).toContain("| `t` | 7 | It is sold out. (depot/sold_out) | no |");
    expect(seen).toEqual([{ originalError: "SOLD_OUT", colour: null }]);
  });

  test("has the codes of a tool that only reads, or that may be repeated", () => {
    const codes = (readOnlyHint: boolean, idempotentHint = false) =>
      failureTable(
        [{ name: "t", annotations: { readOnlyHint, idempotentHint }, _meta: declares(core.timeout, core.unavailable) }],
        {
          dialect: onx,
        },
      )
        .split("\n")
        .slice(2, -1)
        .map((line) => line.split(" | ")[1]);
    expect(codes(true)).toEqual(["3002", "4002"]);
    expect(codes(false, true)).toEqual(["3002", "4002"]);
    expect(codes(false)).toEqual(["4001"]);
  });

  test("shows what other dialects write", () => {
    const codes = (dialect: Dialect<unknown>) =>
      failureTable([{ name: "t", _meta: declares(adapter.failed, core.rate_limited, core.not_found) }], {
        dialect,
      })
        .split("\n")
        .slice(2, -1)
        .map((line) => line.split(" | ")[1]);
    expect(codes(onx)).toEqual(["4001", "3001", "3004"]);
    expect(codes(platica)).toEqual(["502", "429", "404"]);
    expect(codes(mcp as Dialect<unknown>)).toEqual(["–"]);
  });
});
