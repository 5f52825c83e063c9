import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { embeddedJson, escapeHtml, html, sentence } from "./markup.ts";

describe("html", () => {
  it("escapes what is inserted, unless it was built by it", () => {
    expect(html`<p title="${'"><b>'}">${["<i>", html`<br>`]}${undefined}${5}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;b&gt;">&lt;i&gt;<br>5</p>',
    );
  });
});

describe("sentence", () => {
  it("shows names between backticks as code, and escapes everything", () => {
    expect(sentence("Use `guard<T>`, not <b>; a ` alone stays.").text).toBe(
      "Use <code>guard&lt;T&gt;</code>, not &lt;b&gt;; a &#96; alone stays.",
    );
  });
});

describe("escapeHtml", () => {
  it("writes out what a reader could not see", () => {
    expect(escapeHtml("a\u001b[2J\u202e\u200b\ud800")).toBe("a\\u001b[2J\\u202e\\u{200b}\ufffd");
  });

  it("leaves no character that means something in HTML", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"'`\0]|&(?!(?:amp|lt|gt|quot|#39|#96);)/);
      }),
    );
  });
});

describe("embeddedJson", () => {
  it("cannot end its element, and means the same", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("</script>", "<!--", "]]>", "\u2028"), (value, hostile) => {
        const both = { value, hostile, [hostile]: 1 };
        const { text } = embeddedJson(both);
        expect(text).not.toMatch(/[<>&\u2028]/);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(both)));
      }),
    );
  });
});
