import { expect, test } from "vitest";
import { parse } from "yaml";
import { createApiKey } from "../auth/api-keys.ts";
import { sha256Hex } from "../call/binding.ts";
import type { KeyStore, NewKey, StoredApiKey } from "../stores/keys.ts";
import { addKey, listKeys, revokeKey } from "./keys.ts";

const NOW = Date.UTC(2026, 10, 16);
const OPTIONS = {
  id: "ci: nightly",
  tenant: "acme",
  tools: ["shop__*"],
  scopes: ["orders"],
  entitlements: [],
  dialect: undefined,
} as const;

/** A store in memory, in the form of the database's. */
function memoryKeys(): KeyStore & { readonly rows: StoredApiKey[] } {
  const rows: StoredApiKey[] = [];
  return {
    rows,
    find: async (prefix) => rows.find((row) => row.prefix === prefix),
    async add(key: NewKey) {
      if (rows.some((row) => row.prefix === key.prefix)) return false;
      rows.push({ ...key, created: new Date(NOW), revoked: undefined });
      return true;
    },
    list: async () => rows,
    markUsed: async () => {},
    async revoke(name) {
      const found = rows.filter((row) => (row.prefix === name || row.id === name) && row.revoked === undefined);
      for (const row of found) rows[rows.indexOf(row)] = { ...row, revoked: new Date(NOW) };
      return found.map(({ prefix }) => prefix);
    },
  };
}

function setup(keys: KeyStore | undefined) {
  const printed: string[] = [];
  const notes: string[] = [];
  const io = { print: (line: string) => printed.push(line), note: (line: string) => notes.push(line), now: () => NOW };
  return { keys, keyCacheMs: 60_000, io, printed, notes };
}

test("in memory mode the key is printed once, with the line for the file", async () => {
  const at = setup(undefined);
  await expect(addKey(OPTIONS, at)).resolves.toBe(0);
  const [key = "", line = ""] = at.printed;
  expect(parse(`keys:\n${line}`)).toEqual({
    keys: [{ id: "ci: nightly", tenant: "acme", sha256: sha256Hex(key), tools: ["shop__*"], scopes: ["orders"] }],
  });
  expect(line).not.toContain(key);
  await expect(addKey({ ...OPTIONS, expiresInMs: 1 }, at)).resolves.toBe(1);
  await expect(listKeys(at)).resolves.toBe(1);
  await expect(revokeKey("ci", at)).resolves.toBe(1);
  expect(at.printed).toHaveLength(2);
});

test("with a database the key is printed once, and only its digest is stored", async () => {
  const keys = memoryKeys();
  const at = setup(keys);
  await expect(addKey({ ...OPTIONS, expiresInMs: 3_600_000 }, at)).resolves.toBe(0);
  const [key = ""] = at.printed;
  expect(at.printed).toHaveLength(1);
  expect(keys.rows).toMatchObject([{ id: "ci: nightly", expires: new Date(NOW + 3_600_000) }]);
  expect(keys.rows[0]?.sha256.toString("hex")).toBe(sha256Hex(key));
  expect(JSON.stringify(keys.rows)).not.toContain(key);
});

test.each([{ id: "ci\u0000" }, { tenant: "acme\n" }])("a name such as %j is refused", async (names) => {
  const keys = memoryKeys();
  await expect(addKey({ ...OPTIONS, ...names }, setup(keys))).resolves.toBe(1);
  expect(keys.rows).toEqual([]);
});

test("a prefix that is taken is drawn again, and at last given up", async () => {
  const keys = memoryKeys();
  const first = createApiKey();
  const draws = [first, first, createApiKey()];
  const at = setup(keys);
  const io = { ...at.io, createKey: () => draws.shift() ?? first };
  await expect(addKey(OPTIONS, { ...at, io })).resolves.toBe(0);
  await expect(addKey(OPTIONS, { ...at, io })).resolves.toBe(0);
  expect(keys.rows).toHaveLength(2);
  await expect(addKey(OPTIONS, { ...at, io })).resolves.toBe(1);
  expect(at.printed).toHaveLength(2);
});

test("the list shows what a key is for and whether it is good, and no digest", async () => {
  const keys = memoryKeys();
  const at = setup(keys);
  for (const expiresInMs of [undefined, 60_000, -1]) await addKey({ ...OPTIONS, expiresInMs }, at);
  await keys.revoke(keys.rows[0]?.prefix ?? "");
  at.printed.length = 0;
  await expect(listKeys(at)).resolves.toBe(0);
  expect(at.printed[0]).toBe(
    "PREFIX    ID           TENANT  TOOLS    SCOPES  CREATED                   EXPIRES                   STATE",
  );
  expect(at.printed.slice(1).map((line) => line.split(/ {2,}/).at(-1))).toEqual(["revoked", "good", "expired"]);
  for (const { sha256 } of keys.rows) expect(at.printed.join()).not.toContain(sha256.toString("hex").slice(0, 16));
});

test("a key is revoked by its prefix, by its beginning or by its id, once", async () => {
  const keys = memoryKeys();
  const at = setup(keys);
  for (let made = 0; made < 4; made++) await addKey(OPTIONS, at);
  const [one = "", two = ""] = at.printed.splice(0);
  const prefixes = keys.rows.map(({ prefix }) => prefix);
  await expect(revokeKey(one.slice(3, 11), at)).resolves.toBe(0);
  await expect(revokeKey(two, at)).resolves.toBe(0);
  await expect(revokeKey("ci: nightly", at)).resolves.toBe(0);
  expect(at.printed).toEqual(prefixes);
  expect(at.notes.at(-1)).toBe("Revoked. Every replica refuses it within 60 s.");
  await expect(revokeKey("ci: nightly", at)).resolves.toBe(1);
});
