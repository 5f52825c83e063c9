import { catalogue, readFailure } from "@recourse/explain";
import { describe, expect, it } from "vitest";
import { unpackText } from "../../packages/console/src/playground/share-link.ts";
import { makePage } from "./page.ts";
import { addReasonExtras } from "./reason-extras.ts";
import { readSources } from "./sources.ts";

const sources = readSources().filter(({ address }) => /^\/errors\/[^/]+\/[^/]+\/$/.test(address));
const pages = new Map(
  sources.map((source) => [source.address, addReasonExtras(source.file, makePage(source, { revision: "main" }).body)]),
);

describe("the page of a reason on the site", () => {
  it("has a card, wires and relatives, for every reason", () => {
    expect(pages.size).toBe(Object.keys(catalogue).length);
    for (const [address, body] of pages) {
      expect(body.indexOf('class="reason-card'), address).toBeGreaterThan(0);
      expect(body.indexOf('class="reason-card'), address).toBeLessThan(body.indexOf("| --- |"));
      expect(body.match(/<details/g), address).toHaveLength(7);
      expect(body).toContain("## Related errors");
    }
  });

  it("opens the playground with its fault", async () => {
    for (const [address, body] of pages) {
      const [, fragment = ""] = /href="\.\.\/\.\.\/\.\.\/playground\/(#z=[\w-]+)"/.exec(body) ?? [];
      const linked = await unpackText(fragment);
      const reading = readFailure(linked !== undefined && "text" in linked ? linked.text : "");
      expect(reading.found && `/errors/${reading.fault?.reason}/`, address).toBe(address);
    }
  });

  it("links to other reasons of its kind", () => {
    const body = pages.get("/errors/transport/breaker_open/") ?? "";
    expect(body).toContain("- [`core/unavailable`](../../core/unavailable/): ");
    expect(body).not.toContain("- [`transport/breaker_open`]");
  });

  it("leaves other pages alone", () => {
    expect(addReasonExtras("docs/errors/by-kind.md", "text")).toBe("text");
    expect(addReasonExtras("docs/errors/core/unheard_of.md", "text")).toBe("text");
  });
});
