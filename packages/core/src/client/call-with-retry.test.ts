import { ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { connectToAnswers, connectToPeer, toolCalls } from "../../test/peers/client/connect.ts";
import { defineDialect } from "../dialects/define.ts";
import type { ClientContract } from "../dialects/dialect.ts";
import { qaqnuz } from "../dialects/qaqnuz/dialect.ts";
import { FaultError } from "../index.ts";
import { core } from "../reasons/index.ts";
import { callWithRetry } from "./index.ts";

const said = (text: string) => ({ isError: true, content: [{ type: "text" as const, text }] });

const SENT = { content: [{ type: "text", text: "sent" }] };
const answering = (era: Era, ...answers: readonly object[]) => connectToAnswers(era, "send", [...answers, SENT]);

test.each(ERAS)("%s: a failure that only sounds like a rate limit is not repeated", async (era) => {
  const pair = await answering(era, said("Charged. The rate limit of this card is now 0."));
  const error = await callWithRetry(pair.client, "send").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FaultError);
  expect((error as FaultError).fault).toMatchObject({ basis: "guessed", effect: "possible" });
  expect(pair.calls()).toBe(1);
});

test.each(ERAS)("%s: with the dialect of a server that fixes these words, they are waited for", async (era) => {
  const pair = await answering(era, said("Rate limit: 60 calls a minute"));
  const result = await callWithRetry(pair.client, "send", { to: "ada" }, { dialect: qaqnuz });
  expect(result).toMatchObject({ content: [{ text: "sent" }] });
  expect(pair.calls()).toBe(2);
});

test.each(ERAS)(
  "%s: what the caller vouched for is repeated on a guess, after the wait that the text names",
  async (era) => {
    const limited = said("Rate limit exceeded. Try again in 7 ms.");
    const pair = await answering(era, limited, limited);
    const result = await callWithRetry(pair.client, "send", {}, { repeatable: true });
    expect(result).toMatchObject({ content: [{ text: "sent" }] });
    expect(pair.calls()).toBe(3);
  },
);

test.each(["No such channel", "Invalid channel. Try again in 7 ms.", "Permission denied", "It broke."])(
  "%s: no guess about the arguments, the permission or the thing is repeated",
  async (words) => {
    const pair = await answering("v2 modern", said(words));
    const call = callWithRetry(pair.client, "send", {}, { repeatable: true });
    await expect(call).rejects.toBeInstanceOf(FaultError);
    expect(pair.calls()).toBe(1);
  },
);

test.each(ERAS)("%s: other failures are thrown at once, with the server's sentence", async (era) => {
  const pair = await answering(era, said("No such channel"), said("No such channel"));
  const error = await callWithRetry(pair.client, "send").catch((thrown: unknown) => thrown);
  const describe = (tool: string) => `call_tool ${tool} failed`;
  const described = callWithRetry(pair.client, "send", {}, { dialect: qaqnuz, describe });
  await expect(described).rejects.toThrow("call_tool send failed");
  expect(error).toBeInstanceOf(FaultError);
  const message = "send failed: Not found. Quote from the server: “No such channel”";
  expect((error as FaultError).message).toBe(message);
  expect((error as FaultError).stack).toContain(message);
});

test("the contract of any dialect counts, whatever its name", async () => {
  const pair = await answering("v1", ...Array.from({ length: 6 }, () => said("Rate limit: 60 calls a minute")));
  const contract: ClientContract = {
    policy: { stepMs: 1, baseMs: 0, overloadBaseMs: 0, maxBackoffMs: 1_000 },
    describe: (tool, fault) => `${tool}: ${fault.kind}`,
  };
  const dialect = { ...qaqnuz, name: "mine", contract };
  for (const calls of [3, 6]) {
    await expect(callWithRetry(pair.client, "send", {}, { dialect })).rejects.toThrow("send: rate_limited");
    expect(pair.calls()).toBe(calls);
  }
});

test("two dialects with one name stay two on one client", async () => {
  const pair = await answering("v1", said("No."), said("No."));
  const reading = (reason: typeof core.conflict | typeof core.not_found) =>
    defineDialect({ name: "own", encode: () => ({}), decode: (_wire, context) => reason.fault({}, context) });
  const reasonWith = (dialect: ReturnType<typeof reading>) =>
    callWithRetry(pair.client, "send", {}, { dialect }).catch(({ fault }: FaultError) => fault.reason);
  expect(await reasonWith(reading(core.conflict))).toBe("core/conflict");
  expect(await reasonWith(reading(core.not_found))).toBe("core/not_found");
});

test("the number of attempts is the caller's, and a lost reply is no reason to try again", async () => {
  await using pair = await connectToPeer("v1", { steps: ["429-seconds", "lost-socket"] });
  const once = callWithRetry(pair.client as never, "charge", { amount: 1 }, { attempts: 1 });
  await expect(once).rejects.toThrow("charge failed: The rate limit is reached.");
  await expect(callWithRetry(pair.client as never, "charge", { amount: 1 })).rejects.toMatchObject({
    fault: { effect: "possible", tried: { stopped: "unsafe" } },
  });
  expect(toolCalls(pair.peer)).toHaveLength(2);
});

test.each([0, 1.5, 11])("%d attempts are refused", async (attempts) => {
  await expect(callWithRetry({} as never, "send", {}, { attempts })).rejects.toThrow(
    new RangeError(`attempts must be a whole number from 1 to 10, but it is ${attempts}`),
  );
});
