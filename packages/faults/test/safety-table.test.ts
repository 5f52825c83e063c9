import { createSecretFilter, protect, render, toFault } from "@recourse/faults";
import { benign, leaks } from "@recourse/faults/testing";
import { afterEach, expect, test } from "vitest";
import { measure, tableOf, WAYS } from "./safety-table.ts";

let forget = () => {};
afterEach(() => forget());

test("nothing accidental crosses; of what was chosen to be shown the tripwire stops nearly all", () => {
  const rows = measure(leaks);
  console.log(`${leaks.length} leaks: how many crossed\n${tableOf(rows, leaks.length)}`);
  for (const { way, crossed } of rows) {
    for (const [out, crossers] of Object.entries(crossed)) {
      const ids = crossers.map((leak) => leak.id);
      if (way.chosen) expect(ids.length / leaks.length, `${way.name} → ${out}: ${ids}`).toBeLessThanOrEqual(0.05);
      else expect(ids, `${way.name} → ${out}`).toEqual([]);
    }
  }
});

test("a registered secret crosses nowhere, chosen or not", () => {
  const secrets = leaks.flatMap((leak) => leak.canaries).filter((canary) => canary.length >= 8 && canary.length <= 200);
  forget = protect(...secrets);
  const known = leaks.map((leak) => ({
    ...leak,
    canaries: leak.canaries.filter((canary) => secrets.includes(canary)),
  }));
  const rows = measure(known.filter((leak) => leak.canaries.length > 0));
  for (const { way, crossed } of rows) {
    for (const [out, crossers] of Object.entries(crossed)) {
      expect(
        crossers.map((leak) => leak.id),
        `${way.name} → ${out}`,
      ).toEqual([]);
    }
  }
});

test("a secret of the request crosses nowhere in quote mode", () => {
  const secret = "correct horse battery";
  const secrets = createSecretFilter([secret]);
  const quoted = toFault(new Error(`you typed ${secret} there`), { thrown: "quote", secrets });
  expect(JSON.stringify(quoted)).not.toContain(secret);
  expect(quoted.reason).toBe("core/internal");
});

test("honest sentences come through a quotation unchanged", () => {
  const damaged = benign.filter(({ text }) => toFault(new Error(text), { thrown: "quote" }).quote?.text !== text);
  console.log(`${benign.length} honest sentences, ${damaged.length} damaged`);
  expect(damaged).toEqual([]);
  for (const { text } of benign.filter((one) => one.text.length <= 200)) {
    const said = render(toFault(new Error(text), { thrown: "quote" }), { for: "model" });
    expect(said).toContain(text.replaceAll("«", "‹").replaceAll("»", "›"));
  }
});

test("every way in gives a fault for every text", () => {
  for (const way of WAYS) expect(way.fault("plain words").v, way.name).toBe(1);
});
