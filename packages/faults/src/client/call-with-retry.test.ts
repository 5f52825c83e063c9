import { expect, test } from "vitest";
import { toolCalls, wise } from "../../test/peers/client/peer.ts";
import { ERAS, pairOf } from "../../test/peers/peers.ts";
import { FaultError } from "../index.ts";
import { callWithRetry } from "./index.ts";

test.each(ERAS)("%s: a text that says `rate limit` is waited for and repeated", async (era) => {
  let calls = 0;
  const pair = await pairOf(era, (server) => {
    server.registerTool("send", {}, () => {
      calls += 1;
      if (calls === 1) return { isError: true, content: [{ type: "text", text: "Rate limit: 60 calls a minute" }] };
      return { content: [{ type: "text", text: "sent" }] };
    });
    return server;
  });
  const result = await callWithRetry(pair.client as never, "send", { to: "ada" });
  await pair.close();
  expect(result).toMatchObject({ content: [{ text: "sent" }] });
  expect(calls).toBe(2);
});

test.each(ERAS)("%s: other failures are thrown at once, with the server's sentence", async (era) => {
  const pair = await pairOf(era, (server) => {
    server.registerTool("send", {}, () => ({ isError: true, content: [{ type: "text", text: "No such channel" }] }));
    return server;
  });
  const error = await callWithRetry(pair.client as never, "send").catch((thrown: unknown) => thrown);
  await pair.close();
  expect(error).toBeInstanceOf(FaultError);
  expect((error as FaultError).message).toBe("call_tool send failed: No such channel");
  expect((error as FaultError).stack).toContain("call_tool send failed: No such channel");
  expect((error as FaultError).fault).toMatchObject({ class: "terminal" });
});

test("the number of attempts is the caller's, and a lost reply is no reason to try again", async () => {
  await using pair = await wise("v1", { script: ["429-seconds", "lost-socket"] });
  const once = callWithRetry(pair.client as never, "charge", { amount: 1 }, 1);
  await expect(once).rejects.toThrow("call_tool charge failed: The rate limit is reached.");
  await expect(callWithRetry(pair.client as never, "charge", { amount: 1 })).rejects.toMatchObject({
    fault: { effect: "possible", tried: { stopped: "unsafe" } },
  });
  expect(toolCalls(pair.peer)).toHaveLength(2);
});
