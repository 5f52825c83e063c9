// The low-level `Server` returns sentences of its authors and messages of its parser and its driver. No MySQL runs.
import { PASSWORD } from "../../../../packages/core/test/peers/public/secrets.ts";
import type { InstalledServer } from "../case.ts";

const query = (sql: string) => ({ tool: "mysql_query", args: { sql } }) as const;

export const MYSQL: InstalledServer = {
  package: "@benborla29/mcp-server-mysql",
  file: "dist/index.js",
  env: {
    MYSQL_HOST: "127.0.0.1",
    MYSQL_PORT: "9",
    MYSQL_USER: "study",
    MYSQL_PASS: PASSWORD,
    MYSQL_DB: "shop",
    // Otherwise the server ends, because there is no database.
    NODE_ENV: "test",
    ENABLE_PII_REDACTION: "true",
  },
  is: "Server",
  about: "MySQL, low-level, returns",
  cases: [
    {
      name: "an insert where only reads are allowed",
      ...query("INSERT INTO orders (id) VALUES (7)"),
      how: "returned",
      by: "author",
      needs: ["INSERT operations are not allowed for schema", "Ask the administrator"],
      next: "person",
    },
    {
      name: "an update where only reads are allowed",
      ...query("UPDATE orders SET total = 1 WHERE id = 7"),
      how: "returned",
      by: "author",
      needs: ["UPDATE operations are not allowed for schema", "Ask the administrator"],
      next: "person",
    },
    {
      name: "a deletion where only reads are allowed",
      ...query("DELETE FROM orders WHERE id = 7"),
      how: "returned",
      by: "author",
      needs: ["DELETE operations are not allowed for schema"],
      next: "person",
    },
    {
      name: "all columns where some are protected",
      ...query("SELECT * FROM customers"),
      how: "returned",
      by: "author",
      needs: ["SELECT *", "Project an explicit column list"],
      next: "correct",
    },
    {
      name: "a protected column",
      ...query("SELECT email FROM customers"),
      how: "returned",
      by: "author",
      needs: ["redacted column", "email", "Choose a different projection"],
      next: "correct",
    },
    {
      name: "a syntax error",
      ...query("SELEC total FROM orders"),
      how: "returned",
      by: "library",
      needs: ["Parsing failed"],
      next: "correct",
    },
    {
      name: "the database is down",
      ...query("SELECT total FROM orders WHERE id = 7"),
      how: "returned",
      by: "library",
      needs: [],
      next: "later",
    },
    {
      name: "unknown tool",
      tool: "mysql_execute",
      args: { sql: "SELECT 1" },
      how: "returned",
      by: "author",
      needs: [["Unknown tool: mysql_execute", 'No such tool: "mysql_execute"']],
      next: "correct",
    },
  ],
};
