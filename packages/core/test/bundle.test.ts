import vm from "node:vm";
import { bundle } from "@recourse/test-kit/bundle";
import { expect, test } from "vitest";

const EVERYTHING = `
  import * as all from "@recourse/faults";
  import * as explain from "@recourse/explain";
  import * as reasons from "@recourse/faults/reasons";
  import * as server from "@recourse/faults/server";
  import * as telemetry from "@recourse/faults/telemetry";
  import * as testing from "@recourse/testing";
  globalThis.result = (async () => {
  const fault = await server.toFault(new Error("postgres://app:pw@10.0.0.1/x"), { foreignText: "quote" });
  return JSON.stringify([
    all.render(fault, { for: "model" }),
    all.render(reasons.core.not_found({ what: "it" }).fault, { for: "log" }),
    all.fail.conflict\`Taken by \${"somebody"}.\`.message,
    Object.keys({ ...explain, ...server, ...telemetry }).length > 10 && testing.leaks.length > 200,
  ]);
  })();
`;

/** The globals that browsers and workers share. */
const WEB_GLOBALS = { TextEncoder, TextDecoder, URL, btoa, atob, DOMException, AbortController };

test.each([
  ["a browser", { ...WEB_GLOBALS, window: {}, document: {} }],
  ["a worker", { ...WEB_GLOBALS, self: {} }],
])("the bundled library runs in %s without Node", async (_, globals) => {
  const { code, imports } = await bundle(EVERYTHING, { isOneFile: true });
  expect(imports).toEqual([]);
  const context = vm.createContext({ ...globals });
  new vm.Script(code).runInContext(context);
  const [hidden, log, adhoc, complete] = JSON.parse(
    await (context as unknown as { result: Promise<string> }).result,
  ) as unknown[];
  expect(hidden).toMatch(/^The call failed because of an internal error\./);
  expect(log).toContain("reason=core/not_found");
  expect(adhoc).toBe('Taken by "somebody".');
  expect(complete).toBe(true);
});

test("importing one reason does not bundle the others", async () => {
  const { code } = await bundle(
    `import { core } from "@recourse/faults/reasons"; throw core.not_found({ what: "it" });`,
  );
  expect(code).toContain("core/not_found");
  const others = [...code.matchAll(/"([a-z]+\/[a-z_]+)"/g)]
    .map(([, id]) => id)
    .filter((id) => id !== "core/not_found" && id?.startsWith("recourse/") === false);
  expect(others).toEqual([]);
  expect(code).not.toContain("adhoc/");
});

test("importing one slot does not bundle the others", async () => {
  const { code } = await bundle(`import { slot } from "@recourse/faults"; globalThis.slot = slot.integer;`);
  expect(code).toContain("integer");
  expect(code).not.toMatch(/uuid|pointer|duration/);
  expect(code.length).toBeLessThan(2_000);
  expect(code).not.toContain(`"core/`);
});

test("documentation data is bundled only with @recourse/explain", async () => {
  const { code } = await bundle(`import * as all from "@recourse/faults"; globalThis.all = all;`);
  expect(code).not.toMatch(/remedies/);
});

test("the catalogue is bundled without a decoder, and the reader of pasted text without Node", async () => {
  const names = ["catalogue", "explain", "meaningsOf", "CONNECTION_CAUSES"];
  const { code } = await bundle(
    `import { ${names.join(", ")} } from "@recourse/explain"; globalThis.all = { ${names.join(", ")} };`,
  );
  // Words of the rules and of the dialects.
  expect(code).not.toMatch(/task-group|Input validation error|ECONNREFUSED \(/);
  expect(code).toContain("The backend is down, restarting");
  const reader = await bundle(
    `import { readFailure } from "@recourse/explain"; globalThis.result = readFailure("spawn uvx ENOENT").title;`,
  );
  expect(reader.imports).toEqual([]);
  // A cause of the catalogue, and words that only texts of callers are compared with.
  expect(reader.code).not.toMatch(/The backend is down, restarting|aadhaar aba abort/);
  const context = vm.createContext({ ...WEB_GLOBALS, window: {}, document: {} });
  new vm.Script(reader.code).runInContext(context);
  expect((context as { result: string }).result).toBe('The command "uvx" was not found');
});
