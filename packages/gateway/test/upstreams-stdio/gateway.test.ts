// A gateway in front of a server over stdio: what callers of both eras get.
import { expect, test } from "vitest";
import { stdioUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { childAt } from "./support/upstream.ts";

const stdio = (name: string, command: readonly [string, ...string[]]) =>
  stdioUpstream(command, { name, prefix: `${name}__`, timeoutMs: 20_000 });

test("tools of servers of both eras are listed and called, and a command that cannot run is a fault of its tools only", async () => {
  const upstreams = [
    stdio("older", childAt("sdk-v1-child.mjs")),
    stdio("newer", childAt("sdk-v2-child.mjs")),
    stdio("gone", ["/nowhere/at-all"]),
  ];
  const { url } = await startTestGateway({ upstreams });
  const list = await post(
    url,
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{${MODERN_META}}}}`,
    modernHeaders("tools/list"),
  );
  const { tools } = list.json().result as { readonly tools: readonly { readonly name: string }[] };
  expect(tools.map(({ name }) => name).toSorted()).toEqual(["newer__greet", "older__greet"]);
  for (const name of ["older__greet", "newer__greet"]) {
    const body = `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"${name}","arguments":{"name":"Ada"},"_meta":{${MODERN_META}}}}`;
    const answer = await post(url, body, modernHeaders("tools/call", name));
    expect(answer.json()).toMatchObject({
      id: "a",
      result: { resultType: "complete", content: [{ type: "text", text: "Hello Ada" }] },
    });
  }
});
