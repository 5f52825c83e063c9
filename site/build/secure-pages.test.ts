import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createStyleClasses, makePolicy, replaceStyles } from "./secure-pages.ts";

test("style attributes become classes, which win over other rules", () => {
  const classes = createStyleClasses();
  const html = replaceStyles('<i style="--0:#fff;--1:#000">a</i><b class="x" style="--0:#fff;--1:#000">b</b>', classes);
  const [, name = ""] = /<i class="([^"]+)">/.exec(html) ?? [];
  expect(html).toBe(`<i class="${name}">a</i><b class="x ${name}">b</b>`);
  expect(classes.css).toBe(`.${name}{--0:#fff!important;--1:#000!important}\n`);
});

test("text of scripts is left alone", () => {
  const html = `<script>const a = '<i style="x">';</script><i>style="y"</i>`;
  expect(replaceStyles(html, createStyleClasses())).toBe(html);
});

test("the names of classes do not depend on the order of pages", () => {
  const [one, two] = [createStyleClasses(), createStyleClasses()];
  one.name("a:1");
  one.name("b:2");
  two.name("b:2");
  two.name("a:1");
  expect(one.css).toBe(two.css);
});

test("the policy names the digests of inline scripts and styles, and nothing unsafe", () => {
  const html =
    '<script>go()</script><script src="a.js"></script><style>p{}</style><script type="application/ld+json">{}</script>';
  const policy = makePolicy(html, { isSilent: false });
  const digest = createHash("sha256").update("go()").digest("base64");
  expect(policy).toContain(`script-src 'self' 'wasm-unsafe-eval' 'sha256-${digest}';`);
  expect(policy).not.toContain("unsafe-inline");
  expect(policy).toContain("connect-src 'self'");
});

test("a silent page can send nothing", () => {
  expect(makePolicy("", { isSilent: true })).toContain("connect-src 'none'");
});
