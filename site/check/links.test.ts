import { expect, test } from "vitest";
import { findDeadLinks, readPageLinks } from "./links.ts";

test("links and anchors are read from tags, not from scripts or text", () => {
  const { links, anchors } = readPageLinks(
    '<h1 id="top">a &lt;a href="/text/"&gt;</h1><a href="/a/?x=1&amp;y=2#b">a</a><img src="/p.png" srcset="/p.png 1x, /q.png 2x">' +
      '<script>const html = \'<a href="/script/">\';</script><a name="old"></a>',
  );
  expect(links).toEqual(["/a/?x=1&y=2#b", "/p.png", "/p.png", "/q.png"]);
  expect([...anchors]).toEqual(["top", "old"]);
});

const SITE = {
  "index.html":
    '<a href="guide/">ok</a><a href="/recourse/guide/#start">ok</a><a href="/recourse/icon.svg">ok</a><a href="https://x.example/">ok</a>',
  "guide/index.html":
    '<h2 id="start"></h2><a href="../">ok</a><a href="#start">ok</a><a href="/recourse/guide/#z=abc">ok</a>',
};
const files = new Set(["icon.svg"]);
const findIn = (site: Readonly<Record<string, string>>) =>
  findDeadLinks(new Map(Object.entries(site).map(([file, html]) => [file, readPageLinks(html)])), (file) =>
    files.has(file),
  );

test("a site without dead links", () => {
  expect(findIn(SITE)).toEqual([]);
});

test.each([
  ["../nowhere/", "guide/index.html: ../nowhere/ has no page"],
  ["/recourse/guide", "guide/index.html: /recourse/guide has no page"],
  ["/guide/", "guide/index.html: /guide/ leads out of the site"],
  ["/recourse/picture.png", "guide/index.html: /recourse/picture.png has no page"],
  ["#stop", "guide/index.html: #stop has no such anchor"],
  ["../#top", "guide/index.html: ../#top has no such anchor"],
])("a dead link: %s", (link, problem) => {
  expect(findIn({ ...SITE, "guide/index.html": `<a href="${link}">dead</a><h2 id="start"></h2>` })).toEqual([problem]);
});
