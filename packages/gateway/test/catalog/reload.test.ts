import { expect, it } from "vitest";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { crmPeer } from "./support/world.ts";

it("a reload keeps the tools of an upstream that is away", async () => {
  holdTime();
  const crm = await crmPeer();
  const upstreams = [httpUpstream(crm.url, { name: "crm", prefix: "crm__", era: "2025-11-25" })];
  const gateway = await startTestGateway({ upstreams });
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{${MODERN_META}}}}`;
  const names = async () => {
    const { result } = (await post(gateway.url, body, modernHeaders("tools/list"))).json();
    return (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  };
  expect(await names()).toEqual(["crm__look"]);
  await crm.close();
  await gateway.reload(testConfig({ upstreams, drainMs: 0, deadlineMs: 30_000 }));
  expect(await names()).toEqual(["crm__look"]);
});
