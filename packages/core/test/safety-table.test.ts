import { createSecretFilter, registerSecrets, render } from "@recourse/core";
import { toFault } from "@recourse/core/reasons";
import { isNightly } from "@recourse/test-kit/runs";
import { benign, leaks } from "@recourse/testing";
import { afterEach, expect, test } from "vitest";
import { countLeaks, FAULT_INPUTS, tableOf } from "./safety-table.ts";

let unregister = () => {};
afterEach(() => unregister());

/** By day each output gets a third of the leaks. */
const ONE_IN = isNightly ? 1 : 3;
/** Unmistakable credentials: an author never means to show these. The rest of the leaks may be an author's choice. */
const CREDENTIALS = /^cred-known\/(?!aws-secret-key$)/;

/** What is cut out of a text that is shown. How a server is built is hidden with its accidental texts, not by any rule. */
const CUT = /^(?:cred-|evasion|pii)/;

test("no accidental leak gets through, and nearly all secrets are cut out of text that is shown", () => {
  const rows = countLeaks(leaks, ONE_IN);
  const total = leaks.length / ONE_IN;
  const cut = leaks.filter((leak) => CUT.test(leak.id)).length / ONE_IN;
  console.log(
    `${leaks.length} leaks (in-sample: the rules were written with them in view), one in ${ONE_IN} for each output: how many got through\n${tableOf(rows, total)}`,
  );
  for (const { input, leaked } of rows) {
    for (const [output, found] of Object.entries(leaked)) {
      const ids = found.map((leak) => leak.id);
      const where = `${input.name} → ${output}: ${ids}`;
      if (input.origin === "accidental") expect(ids, where).toEqual([]);
      else if (input.origin === "shown")
        expect(ids.filter((id) => CUT.test(id)).length / cut, where).toBeLessThanOrEqual(0.08);
      else expect(ids.filter((id) => CREDENTIALS.test(id)).length, where).toBeLessThanOrEqual(5);
    }
  }
});

test("a registered secret never gets through, chosen or not", () => {
  const secrets = leaks.flatMap((leak) => leak.canaries).filter((canary) => canary.length >= 8 && canary.length <= 200);
  unregister = registerSecrets(...secrets);
  const known = leaks.map((leak) => ({
    ...leak,
    canaries: leak.canaries.filter((canary) => secrets.includes(canary)),
  }));
  const found = known.filter((leak) => leak.canaries.length > 0);
  // A registered secret is found as such, whatever it looks like, so a quarter of them shows it as well.
  const rows = countLeaks(isNightly ? found : found.filter((_, index) => index % 4 === 0));
  for (const { input, leaked } of rows) {
    for (const [output, found] of Object.entries(leaked)) {
      expect(
        found.map((leak) => leak.id),
        `${input.name} → ${output}`,
      ).toEqual([]);
    }
  }
});

test("a secret of the request is never quoted", () => {
  const secret = "correct horse battery";
  const secrets = createSecretFilter([secret]);
  const quoted = toFault(new Error(`you typed ${secret} there`), { foreignText: "quote", secrets });
  expect(JSON.stringify(quoted)).not.toContain(secret);
  expect(quoted.quote?.text).toBe("you typed [removed] there");
});

test("honest sentences come through a quotation unchanged", () => {
  const damaged = benign.filter(({ text }) => toFault(new Error(text), { foreignText: "quote" }).quote?.text !== text);
  console.log(`${benign.length} honest sentences (in-sample), ${damaged.length} damaged`);
  expect(damaged).toEqual([]);
  for (const { text } of benign.filter((one) => one.text.length <= 200)) {
    const rendered = render(toFault(new Error(text), { foreignText: "quote" }), { for: "model" });
    expect(rendered).toContain(text.replaceAll("“", "‘").replaceAll("”", "’").replaceAll("„", "‚"));
  }
});

test("every input gives a fault", () => {
  for (const input of FAULT_INPUTS) expect(input.fault("plain words").v, input.name).toBe(1);
});
