// The misbehaving peer, in every way it knows: each call ends, and what is said about its effect is never too little.

import type { Revision } from "@recourse/core/wire";
import { isNightly } from "@recourse/test-kit/runs";
import { MISBEHAVIOURS, type MisbehaviourName, misbehave } from "@recourse/testing/peer";
import { expect, it } from "vitest";
import { callOf, upstreamAt } from "./support/upstream.ts";

const NAMES = Object.keys(MISBEHAVIOURS) as MisbehaviourName[];

/** Those that never answer take this long. */
const TIMEOUT_MS = isNightly ? 1_500 : 300;

async function observe(name: MisbehaviourName, era: Revision) {
  await using peer = await misbehave({ tools: { charge: name }, delayMs: 20 });
  const upstream = upstreamAt(peer.url.toString(), { era });
  const params = era === "2026-07-28" ? {} : { params: Buffer.from('{"name":"charge","arguments":{"amount":1}}') };
  const reply = await upstream.send(callOf("charge", '{"amount":1}', { ...params, timeoutMs: TIMEOUT_MS }));
  await upstream.close();
  return { name, reply, effects: peer.effects().total };
}

it.each<[Revision]>([["2026-07-28"], ["2025-11-25"]])("%s", async (era) => {
  const left = [...NAMES];
  const observed: Awaited<ReturnType<typeof observe>>[] = [];
  const work = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) observed.push(await observe(name, era));
  };
  await Promise.all(Array.from({ length: 12 }, work));
  expect(observed).toHaveLength(NAMES.length);
  const understated = observed.filter(
    ({ reply, effects }) => reply.kind === "failed" && reply.fault.effect === "none" && effects > 0,
  );
  expect(understated).toEqual([]);
  const ids = observed.flatMap(({ name, reply }) => {
    if (reply.kind !== "answer" || reply.status !== 200) return [];
    const { id, error } = JSON.parse(reply.body.toString());
    return id === 7 || error !== undefined ? [] : [name];
  });
  expect(ids).toEqual([]);
});
