import { afterEach, describe, expect, it } from "vitest";
import { formatId, idGenerator } from "../wire/ids.ts";
import { cutText } from "./cut-text.ts";
import { installTextFilter } from "./full-search.ts";
import { withoutOwnIds } from "./own-ids.ts";
import { containsSecret, createSecretFilter, registerSecrets } from "./secrets.ts";

const id = idGenerator(Date.now);
const DAY_MS = 86_400_000;
const at = (ms: number) =>
  formatId(
    ms,
    Uint8Array.from({ length: 16 }, (_, index) => index * 7),
  );
installTextFilter();
const ruleIn = (text: string, options = {}) => cutText(text, options).rule;
let undo = () => {};
afterEach(() => undo());

describe("ids that this library makes", () => {
  it("are taken for a secret by no rule, a thousand of them, in any usual place", () => {
    const places = [
      (one: string) => one,
      (one: string) => `If you report this, give incident ${one}.`,
      (one: string) => `incident=${one} kind=internal`,
      (one: string) => `{"incident":"${one}","approval":"${one}"}`,
      (one: string) => `{\\"incident\\":\\"${one}\\"}`,
      (one: string) => `first\\n${one}\\nlast`,
      (one: string) => `incident%20${one}%2C`,
      (one: string) => `see https://status.example.com/incidents/${one}?tab=log`,
      (one: string) => `token ${one} and key: ${one}`,
      (one: string) => `Incident ID: ${one}`,
    ];
    for (let run = 0; run < 1_000; run += 1) {
      const text = places[run % places.length]?.(id()) ?? "";
      expect([text, ruleIn(text)]).toEqual([text, undefined]);
    }
  });

  it.each([
    ["before 2025", at(Date.UTC(2024, 11, 31))],
    ["more than a day ahead", at(Date.now() + 2 * DAY_MS)],
    ["in lower case", at(Date.now()).toLowerCase()],
    ["as part of a longer token", `${at(Date.now())}A7`],
    ["after the prefix of a provider", `sk_live_${at(Date.now())}`],
    ["after a hyphen", `key-${at(Date.now())}`],
  ])("are not excused %s", (_, text) => {
    expect(withoutOwnIds(`it is ${text} here`)).toBe(`it is ${text} here`);
    expect(ruleIn(`it is ${text} here`)).toBeDefined();
  });

  it("do not excuse what stands beside them", () => {
    const text = `incident ${id()}: password=hunter22hunter`;
    expect(ruleIn(text)).toBe("credential.assigned");
  });

  it("are secrets where they are registered", () => {
    const [one, other] = [id(), id()];
    undo = registerSecrets(one);
    expect(containsSecret(`incident ${one}`)).toBe(true);
    expect(containsSecret(`incident ${other}`, createSecretFilter([other]))).toBe(true);
  });

  it("may be repeated with a caller's text", () => {
    const sent = `mail ann@example.com about ${id()}`;
    expect(ruleIn(`Cannot "${sent}".`, { callerTexts: [sent] })).toBeUndefined();
  });
});
