import { expect, it } from "vitest";
import { httpUpstream } from "../../test/support/config.ts";
import { headWith } from "../../test/support/head.ts";
import { CredentialCutter } from "./credential-cutter.ts";

const OWN = "upstream-token-1";
const upstream = httpUpstream("http://127.0.0.1/", { credential: { kind: "bearer", token: OWN } });

function cutterAt(clock: { ms: number }) {
  const lines: string[] = [];
  const log = (level: string, message: string, facts?: unknown) =>
    void lines.push(`${level} ${message} ${JSON.stringify(facts)}`);
  return { cutter: new CredentialCutter({ observer: { log }, now: () => clock.ms }), lines };
}

it("tells the operator once in a minute, without the credential", () => {
  const clock = { ms: 0 };
  const { cutter, lines } = cutterAt(clock);
  for (clock.ms = 0; clock.ms < 120_000; clock.ms += 10_000) cutter.cutAnswer(Buffer.from(`"${OWN}"`), upstream);
  expect(lines).toHaveLength(2);
  expect(lines.join()).toContain('{"upstream":"up"}');
  expect(lines.join()).not.toContain(OWN);
});

it("leaves an answer that has none as it is, also where there is no credential", () => {
  const { cutter, lines } = cutterAt({ ms: 0 });
  const body = Buffer.from("{}");
  expect(cutter.cutAnswer(body, upstream)).toBe(body);
  expect(cutter.cutAnswer(body, httpUpstream("http://127.0.0.1/"))).toBe(body);
  expect(lines).toEqual([]);
});

it("takes the caller's credential out of notifications only: in an answer it may be what the caller sent", () => {
  const { cutter } = cutterAt({ ms: 0 });
  const head = headWith({ authorization: "Bearer caller-token-1" });
  const json = Buffer.from('["caller-token-1"]');
  expect(cutter.cutNotification(json, upstream, head).toString()).toBe('["<removed>"]');
  expect(cutter.cutAnswer(json, upstream)).toBe(json);
});
