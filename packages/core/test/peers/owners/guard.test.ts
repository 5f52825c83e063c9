// Whose idempotency key it is, at guarded servers: no caller gets the outcome of another, every caller gets its own.

import { callAs, SHAPES, UNUSABLE } from "@recourse/test-kit/callers";
import { ERAS, type Era, sdkVersion } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test, vi } from "vitest";
import { type GuardOptions, type Incident, memoryIdempotency } from "../../../src/server/index.ts";
import { counter, createShop } from "./shop.ts";

/** A shop whose orders are counted. Every request gets a server of its own, and all share one store. */
function openShop(era: Era, options: GuardOptions = {}) {
  const incidents: Incident[] = [];
  const sink = (incident: Incident) => incidents.push(incident);
  const idempotency = { store: memoryIdempotency(), ...options.idempotency };
  const takeOrder = vi.fn(counter());
  const make = () => createShop(sdkVersion(era), { sink, ...options, idempotency }, takeOrder);
  const order = (auth?: unknown, headers = {}) => callAs(era, make, { auth, tool: "order", key: "k", headers });
  return { order, incidents, takeOrder };
}

describe.each(ERAS)("%s", (era) => {
  test.each(SHAPES)("people are told apart, and recognised: $name", async ({ ann, annAgain, bob }) => {
    const { order } = openShop(era);
    const texts = [await order(ann), await order(bob), await order(annAgain), await order(bob)].map(({ text }) => text);
    expect(texts).toEqual(["order 1", "order 2", "order 1", "order 2"]);
  });

  test.each(UNUSABLE)("a key is refused where authentication names nobody: %s", async (_name, auth) => {
    const { order, incidents, takeOrder } = openShop(era);
    const { fault } = await order(auth);
    expect(fault).toMatchObject({ reason: "idempotency/caller_unknown", effect: "none" });
    expect(incidents).toMatchObject([{ fault: { incident: fault?.incident }, tool: "order" }]);
    expect(takeOrder).not.toHaveBeenCalled();
  });

  test("a key is refused where nobody signed in, which is not an incident", async () => {
    const { order, incidents, takeOrder } = openShop(era);
    expect((await order()).fault).toMatchObject({ reason: "idempotency/caller_unknown", effect: "none" });
    expect(incidents).toEqual([]);
    expect(takeOrder).not.toHaveBeenCalled();
  });

  test("the author can name anonymous callers, by their request", async () => {
    const { order } = openShop(era, { idempotency: { caller: (_auth, { headers }) => headers.get("x-device") } });
    const orderFrom = async (device: string) => (await order(undefined, { "x-device": device })).text;
    expect([await orderFrom("a"), await orderFrom("b"), await orderFrom("a")]).toEqual([
      "order 1",
      "order 2",
      "order 1",
    ]);
    expect((await order()).fault?.reason).toBe("idempotency/caller_unknown");
  });

  test.each([undefined, null, "", " ", Number.NaN, {}])("an author who names nobody is believed: %j", async (named) => {
    const { order, takeOrder } = openShop(era, { idempotency: { caller: () => named as never } });
    expect((await order({ sub: "ann" })).fault?.reason).toBe("idempotency/caller_unknown");
    expect(takeOrder).not.toHaveBeenCalled();
  });
});
