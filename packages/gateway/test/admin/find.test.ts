// What the omnibox of a console asks: what a reason means, and what a text names.
import { stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { readTyped } from "../../src/admin/find.ts";
import { EXPLANATION, FOUND } from "../../src/admin/overview-schemas.ts";
import type { Incidents } from "../../src/incidents/incidents.ts";
import { memoryIncidents } from "../../src/incidents/memory-incidents.ts";
import { Recorder } from "../../src/incidents/record.ts";
import { INCIDENTS, idOf, incidentWith } from "../incidents/support.ts";
import { APPROVAL_ID, ask, expectProblem, someIncidents, startTestAdmin, TRACE } from "./support.ts";

const NOW = Date.parse("2026-11-16T12:00:00.000Z");

describe("/explain", () => {
  it("explains a reason of the library", async () => {
    const { url } = await startTestAdmin();
    const { json } = await ask(url, "/explain/core/timeout");
    expect(EXPLANATION.parse(json)).toMatchObject({
      reason: "core/timeout",
      kind: "timeout",
      title: "No answer in time",
      docs: "https://github.com/recourse-mcp/recourse/blob/main/docs/errors/core/timeout.md",
    });
    expect(json.remedies.length).toBeGreaterThan(0);
  });

  it("explains a reason of another program by its kind, and nothing without one", async () => {
    const { url } = await startTestAdmin();
    const { json } = await ask(url, "/explain/shop/closed?kind=unavailable");
    expect(EXPLANATION.parse(json)).toMatchObject({
      reason: "shop/closed",
      kind: "unavailable",
      docs: "https://github.com/recourse-mcp/recourse/blob/main/docs/errors/by-kind.md",
    });
    expectProblem(await ask(url, "/explain/shop/closed"), 404, "core/not_found");
    expectProblem(await ask(url, "/explain/shop/closed?kind=odd"), 404, "core/not_found");
    expectProblem(await ask(url, "/explain/__proto__/constructor"), 404, "core/not_found");
  });

  it("is not sent again to who has it", async () => {
    const { url } = await startTestAdmin();
    const { headers } = await ask(url, "/explain/core/timeout");
    const etag = String(headers["etag"]);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await ask(url, "/explain/core/timeout", { headers: { "if-none-match": named } });
      expect([again.status, again.text, again.headers["etag"]]).toEqual([304, "", etag]);
    }
    const other = await ask(url, "/explain/core/internal", { headers: { "if-none-match": etag } });
    expect(other.status).toBe(200);
  });
});

describe("/find", () => {
  const refund = incidentWith({
    atMs: NOW - 60_000,
    caller: '["key","acme","agent-eu"]',
    tool: "shop__refund",
    fault: stampFault(core.timeout.fault({ timeoutMs: 5 }), { trace: `00-${TRACE}-00f067aa0ba902b7-01` }),
  });
  const old = incidentWith({ atMs: NOW - 7_200_000, tool: "pay__charge", upstream: "pay" });

  async function started(changes: Partial<Incidents["reader"]> = {}) {
    const memory = memoryIncidents(new Recorder({ config: INCIDENTS }));
    for (const one of [refund, old]) memory.sink(one);
    const incidents = { ...memory, reader: { ...memory.reader, ...changes } };
    const toolNames = () => ["shop__refund", "shop__find"];
    const { url } = await startTestAdmin({ controls: { incidents }, toolNames });
    const get = (q: string) => ask(url, `/find?q=${encodeURIComponent(q)}`);
    const found = async (q: string) => {
      const { json } = await get(q);
      return FOUND.array()
        .max(10)
        .parse(json.items)
        .map(({ type, id, label }) => [type, id, label]);
    };
    return { get, found, fingerprint: (await memory.reader.find(idOf(refund)))?.fingerprint ?? "", url };
  }

  it("finds ids within a sentence, typed small, or with letters that look like digits", async () => {
    const { found } = await started();
    const item = ["incident", idOf(refund), "No answer in time · shop__refund"];
    await expect(found(`If you report this, give incident ${idOf(refund)}.`)).resolves.toEqual([item]);
    await expect(found(idOf(refund).toLowerCase())).resolves.toEqual([item]);
    await expect(found(idOf(refund).replaceAll("0", "O").replaceAll("1", "I"))).resolves.toEqual([item]);
    await expect(found(APPROVAL_ID)).resolves.toEqual([["approval", APPROVAL_ID, "shop__refund · pending"]]);
  });

  it("finds causes by the begin of their fingerprints, and incidents by their trace", async () => {
    const { found, fingerprint } = await started();
    await expect(found(fingerprint.slice(0, 8))).resolves.toEqual([
      ["cause", fingerprint, "No answer in time · shop__refund"],
    ]);
    const traced = [["incident", idOf(refund), "No answer in time · shop__refund"]];
    await expect(found(TRACE.toUpperCase())).resolves.toEqual(traced);
    await expect(found(`00-${TRACE}-00f067aa0ba902b7-01`)).resolves.toEqual(traced);
  });

  it("finds names by a part of them, whatever its case", async () => {
    const { found } = await started();
    await expect(found("REFUND")).resolves.toEqual([["tool", "shop__refund", "shop__refund"]]);
    await expect(found("pay")).resolves.toEqual([
      ["upstream", "pay", "pay"],
      ["tool", "pay__charge", "pay__charge"],
      ["reason", "rest/payment_required", "rest/payment_required · Payment required"],
    ]);
    await expect(found("agent")).resolves.toEqual([["caller", '["key","acme","agent-eu"]', "agent-eu · acme"]]);
    expect((await found("core/timeout"))[0]).toEqual(["reason", "core/timeout", "core/timeout · No answer in time"]);
    expect(await found("e")).toHaveLength(10);
    await expect(found("nothing of this name")).resolves.toEqual([]);
  });

  it("finds what needs no store while one is away, and says so where that is nothing", async () => {
    const away = () => Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }));
    const { found, get } = await started({ find: away, knownNames: away, findClasses: away });
    await expect(found("shop__f")).resolves.toEqual([["tool", "shop__find", "shop__find"]]);
    await expect(found(APPROVAL_ID)).resolves.toHaveLength(1);
    expectProblem(await get(idOf(refund)), 503, "core/unavailable");
    expectProblem(await get("nothing of this name"), 503, "core/unavailable");
  });

  it("answers where a store does not", async () => {
    const { get } = await started({ knownNames: () => new Promise(() => {}) });
    expect((await get("shop__f")).json.items).toHaveLength(1);
  });

  it("finds nothing without a text", async () => {
    const { url } = await started();
    expect((await ask(url, "/find")).json).toEqual({ items: [] });
    expectProblem(await ask(url, `/find?q=${"x".repeat(1_025)}`), 400, "protocol/invalid_params");
  });
});

it("gives another incident with the same id by its time, and filters by id and trace", async () => {
  const memory = memoryIncidents(new Recorder({ config: INCIDENTS }));
  const id = idOf(incidentWith({ atMs: NOW }));
  memory.sink(incidentWith({ id, atMs: NOW - 5, tool: "first" }));
  memory.sink(incidentWith({ id, atMs: NOW, tool: "second" }));
  const { url } = await startTestAdmin({ controls: { incidents: memory } });
  const { json } = await ask(url, `/incidents/${id}`);
  expect([json.tool, json.othersAt]).toEqual(["first", ["2026-11-16T12:00:00.000Z"]]);
  const other = await ask(url, `/incidents/${id}?at=${json.othersAt[0]}`);
  expect([other.json.tool, other.json.othersAt]).toEqual(["second", undefined]);
  expectProblem(await ask(url, `/incidents/${id}?at=2026-11-16T12:00:01Z`), 404, "core/not_found");
  expect((await ask(url, `/incidents?id=${id}`)).json.items).toHaveLength(2);
  const { incidents, asked } = someIncidents();
  const { url: second } = await startTestAdmin({ controls: { incidents } });
  await ask(second, `/incidents?trace=${TRACE}`);
  expect(asked).toMatchObject([{ filter: { trace: TRACE } }]);
  expectProblem(await ask(second, "/incidents?trace=abc"), 400, "protocol/invalid_params");
});

describe("what was typed", () => {
  it.each([
    ["see 01M7K7RE4ST7GE86F8QRXY0849, please", ["01M7K7RE4ST7GE86F8QRXY0849"], []],
    ["0lm7k7re4st7ge86f8qrxyo849", ["01M7K7RE4ST7GE86F8QRXY0849"], []],
    ["DEADBEEF and abc", [], ["deadbeef"]],
    ["shop__refund", [], []],
    ["", [], []],
  ])("%j", (text, ids, digits) => {
    expect(readTyped(text)).toEqual({ ids, digits });
  });
});
