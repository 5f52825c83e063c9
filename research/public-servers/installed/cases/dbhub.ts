// An `McpServer` of SDK 2 that returns whole-JSON texts with a code, an error and details. Behind it is a PostgreSQL.
import { REGISTERED_SECRET, TOKEN } from "../../../../packages/core/test/peers/public/secrets.ts";
import type { InstalledServer } from "../case.ts";

const DATABASE = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const sql = (text: string) => ({ tool: "execute_sql", args: { sql: text }, how: "returned" }) as const;
const search = (args: Readonly<Record<string, unknown>>) =>
  ({ tool: "search_objects", args, how: "returned" }) as const;

export const DBHUB: InstalledServer = {
  package: "@bytebase/dbhub",
  file: "dist/index.js",
  args: ["--transport", "stdio", "--config", "$DIR/dbhub.toml"],
  files: {
    "dbhub.toml": [
      `[[sources]]\nid = "default"\ndsn = "${DATABASE}"`,
      '[[tools]]\nname = "execute_sql"\nsource = "default"\nreadonly = true',
      '[[tools]]\nname = "search_objects"\nsource = "default"',
    ].join("\n\n"),
  },
  is: "McpServer",
  about: "PostgreSQL, returns whole-JSON texts, SDK 2",
  cases: [
    {
      name: "a table that does not exist",
      ...sql("SELECT * FROM study_orders"),
      by: "service",
      needs: ["study_orders", "does not exist"],
      next: "correct",
    },
    {
      name: "a column that does not exist",
      ...sql("SELECT pirce FROM pg_class"),
      by: "service",
      needs: ["pirce", "does not exist"],
      next: "correct",
    },
    {
      name: "a syntax error",
      ...sql("SELECT FROM WHERE x"),
      by: "service",
      needs: ["syntax error", "WHERE"],
      next: "correct",
    },
    {
      name: "a division by zero",
      ...sql("SELECT 1/0"),
      by: "service",
      needs: ["division by zero"],
      next: "correct",
    },
    {
      name: "a wrong type",
      ...sql("SELECT 'seven'::int"),
      by: "service",
      needs: ["invalid input syntax for type integer", "seven"],
      next: "correct",
    },
    {
      name: "a write where only reads are allowed",
      ...sql("DELETE FROM study_orders"),
      by: "author",
      needs: ["Read-only mode is enabled", "select"],
      next: "correct",
    },
    {
      name: "a table without its schema",
      ...search({ object_type: "column", table: "orders" }),
      by: "author",
      needs: ["'table' parameter requires 'schema'"],
      next: "correct",
    },
    {
      name: "a table filter on tables",
      ...search({ object_type: "table", table: "orders", schema: "public" }),
      by: "author",
      needs: ["'table' parameter only applies to object_type 'column' or 'index'"],
      next: "correct",
    },
    {
      name: "a schema that does not exist",
      ...search({ object_type: "table", schema: "shop" }),
      by: "author",
      needs: ["Schema 'shop' does not exist", "Available schemas", "public"],
      next: "correct",
    },
    {
      name: "a kind that does not exist",
      tool: "search_objects",
      args: { object_type: "sequence" },
      by: "sdk",
      how: "thrown",
      needs: ["object_type", "table", "index"],
      next: "correct",
    },
    { name: "no statement", tool: "execute_sql", args: {}, by: "sdk", how: "thrown", needs: ["sql"], next: "correct" },
    {
      name: "a token in a message of the database",
      ...sql(`SELECT set_config('study.key', '${TOKEN.slice(0, 20)}' || '${TOKEN.slice(20)}', false)::int`),
      by: "service",
      needs: ["invalid input syntax for type integer"],
      secret: TOKEN,
      next: "correct",
    },
    {
      name: "a registered secret in a message of the database",
      ...sql(`SELECT ('${REGISTERED_SECRET.slice(0, 5)}' || '${REGISTERED_SECRET.slice(5)}')::int`),
      by: "service",
      needs: ["invalid input syntax for type integer"],
      secret: REGISTERED_SECRET,
      next: "correct",
    },
  ],
};
