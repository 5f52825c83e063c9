import { expect, test } from "vitest";
import { type ApiFile, makeApiBody, nameAnchors } from "./api-page.ts";
import { REPOSITORY } from "./links.ts";

const client = `## Interfaces

<a id="calloptions"></a>

### CallOptions

Defined in: [packages/core/src/client/options.ts:110](source:packages/core/src/client/options.ts#L110)

Options of one call.

#### Properties

| Property | Type |
| ------ | ------ |
| <a id="property-input"></a> \`input?\` | [\`Fault\`](README.md#fault-1) |

#### Methods

<a id="run-2"></a>

##### run()

***

<a id="other"></a>

### Other

See [\`run\`](#run-2) and [core](namespaces/core.md#busy).
`;
const root = `## Interfaces

<a id="fault-1"></a>

### Fault
`;
const core = `## Variables

<a id="busy"></a>

### busy

\`\`\`ts
const busy: Reason<"core/busy", {
  kind: "overloaded";
}>;
\`\`\`

Defined in: [packages/core/src/core.ts:1](source:packages/core/src/core.ts#L1)

Other calls change
the same data.
`;
const files = new Map<string, ApiFile>([
  ["packages/core/src/README.md", { address: "/reference/api/faults/", markdown: root }],
  ["packages/core/src/client.md", { address: "/reference/api/faults/client/", markdown: client }],
  ["packages/core/src/namespaces/core.md", { address: "/reference/api/faults/", namespace: "core", markdown: core }],
]);
const make = (address: string) => makeApiBody(files, address, { revision: "v0.1.0" });

test("headings and members have anchors that name them", () => {
  const { markdown, anchors } = nameAnchors({ markdown: client });
  expect(markdown).toContain("### CallOptions {#CallOptions}");
  expect(markdown).toContain("#### Properties {#CallOptions.properties}");
  expect(markdown).toContain('<a id="CallOptions.input"></a> `input?`');
  expect(markdown).toContain("##### run() {#CallOptions.run}");
  expect(anchors.get("run-2")).toBe("CallOptions.run");
});

test("two members of the same name have two anchors", () => {
  const twice = '<a id="a"></a>\n\n### f()\n\n<a id="a-1"></a>\n\n### f()\n';
  expect([...nameAnchors({ markdown: twice }).anchors.values()]).toEqual(["f", "f-2"]);
});

test("links lead to the page that shows the member", () => {
  const body = make("/reference/api/faults/client/");
  expect(body).toContain("[`Fault`](../#Fault)");
  expect(body).toContain("[`run`](#CallOptions.run)");
  expect(body).toContain("[core](../#core.busy)");
});

test("sources lead into the repository at the revision", () => {
  expect(make("/reference/api/faults/client/")).toContain(
    `Source: [client/options.ts:110](${REPOSITORY}/blob/v0.1.0/packages/core/src/client/options.ts#L110)`,
  );
});

test("a namespace of reasons is a table that leads to their pages", () => {
  const body = make("/reference/api/faults/");
  expect(body).toContain("## core {#core}");
  expect(body).toContain(
    '| <a id="core.busy"></a> [`core.busy`](../../../errors/core/busy/) | Other calls change the same data. |',
  );
});

test("code is left as it is", () => {
  const code = "## Functions\n\n```ts\n### no heading\n[a](README.md)\n```\n";
  expect(nameAnchors({ markdown: code }).markdown).toContain("\n### no heading\n[a](README.md)\n");
});
