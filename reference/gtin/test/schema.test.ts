import { createDatabase, migrate } from "@recourse/reference-shared";
import { createMigratedDatabase } from "@recourse/reference-shared/testing";
import { afterAll, describe, expect, test } from "vitest";

const folder = new URL("../", import.meta.url);
const database = await createMigratedDatabase(folder);
afterAll(() => database.drop());

test("an up-to-date schema is left alone, also when several servers start at once", async () => {
  expect(await Promise.all([migrate(database.url, { folder }), migrate(database.url, { folder })])).toEqual([[], []]);
  expect(await createDatabase(database.url)).toBe(false);
});

test("a missing database is created, without seeds where these are off", async () => {
  const url = new URL(database.url);
  url.pathname += "_new";
  try {
    expect(await createDatabase(url.href)).toBe(true);
    expect(await migrate(url.href, { folder, seeds: false })).toEqual([
      "migrations/001_gtin.sql",
      "migrations/002_catalogue.sql",
      "migrations/003_access.sql",
    ]);
  } finally {
    await database.query(`drop database ${url.pathname.slice(1)}`);
  }
});

describe("the database refuses by itself", () => {
  test.each(["00614141123453", "614141123452", "x0614141123452", "", "٠٠٦١٤١٤١١٢٣٤٥٢"])("the GTIN %j", async (gtin) => {
    const insert = database.query("insert into product (gtin, name, brand) values ($1, 'n', 'b')", [gtin]);
    await expect(insert).rejects.toMatchObject({ code: expect.stringMatching(/^(?:23514|22001)$/) });
  });

  test.each([
    "http://example.com/",
    "https://localhost/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://user@example.com/",
    "https://example.com:8443/",
    "https://printer.local/",
    "https://db.internal/x",
    "javascript:alert(1)",
  ])("the link %s", async (href) => {
    const values = "('09520123456788', 'gs1:pip', $1, 't')";
    const insert = database.query(`insert into link (gtin, link_type, href, title) values ${values}`, [href]);
    await expect(insert).rejects.toMatchObject({ code: "23514" });
  });

  test("a second default link", async () => {
    const values = "('09520123456788', 'gs1:pip', 'https://example.com/', 't', true)";
    const insert = database.query(`insert into link (gtin, link_type, href, title, is_default) values ${values}`);
    await expect(insert).rejects.toMatchObject({ code: "23505" });
  });
});
