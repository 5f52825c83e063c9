// Stands in for the REST service of Airtable, on a port of this machine. The table that is asked for decides the answer.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, FAILING_TABLES } from "./answers.ts";

/** The base that exists, its table, and a table that has no text to search in. */
const BASE = "appK3mQ9vX2zLb7Rt";
const ORDERS = "tblW8dN4sC6yHj1Fp";
const FIGURES = "tblP5rT0gU7aEo9Ki";

/** Starts the service. */
export async function startAirtable(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const { status, body } = answerTo(request.method ?? "", decodeURIComponent(request.url ?? ""));
    if (status === "drop") {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { "content-type": typeof body === "string" ? "text/html" : "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  function close() {
    server.close();
    server.closeAllConnections();
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const NAME = { id: "fldB2xM8qL5vZt3Ws", name: "Name", type: "singleLineText" };
const TOTAL = { id: "fldH6cR1nY9kDu4Jp", name: "Total", type: "number", options: { precision: 2 } };
const table = (id: string, fields: readonly unknown[]) => ({
  id,
  name: id,
  primaryFieldId: NAME.id,
  fields,
  views: [],
});
const RECORD = { id: "recV4fG7jS0mXe2Qb", createdTime: "2026-11-15T09:30:00.000Z", fields: { Name: "Ann" } };
const COMMENT = {
  id: "comT1hK8wP3zAd6Ln",
  createdTime: RECORD.createdTime,
  lastUpdatedTime: null,
  text: "Fine.",
  author: { id: "usrC9vB5xN2mQk7Rs", email: "ann@example.com", name: "Ann" },
};

/** What the service answers where nothing fails. The first pattern that matches counts. */
const ANSWERS: readonly (readonly [pattern: RegExp, body: unknown])[] = [
  [/ \/v0\/meta\/bases$/, { bases: [{ id: BASE, name: "Shop", permissionLevel: "edit" }] }],
  [/^GET \/v0\/meta\/bases\/\w+\/tables$/, { tables: [table(ORDERS, [NAME, TOTAL]), table(FIGURES, [TOTAL])] }],
  [/ \/v0\/meta\/bases\/\w+\/tables(?:\/\w+)?$/, table(ORDERS, [NAME, TOTAL])],
  [/ \/v0\/meta\/bases\/\w+\/tables\/\w+\/fields/, NAME],
  [/^GET .*\/comments/, { comments: [COMMENT], offset: null }],
  [/^POST .*\/comments/, COMMENT],
  [/^DELETE /, { records: [{ id: RECORD.id, deleted: true }] }],
  [/^(?:GET|PATCH) \/v0\/\w+\/\w+(?:\?|$)/, { records: [RECORD] }],
  [/./, RECORD],
];

function answerTo(method: string, url: string): Answer {
  const failing = FAILING_TABLES[url.split(/[/?]/)[3] ?? ""];
  if (failing !== undefined) return failing;
  const body = ANSWERS.find(([pattern]) => pattern.test(`${method} ${url}`))?.[1];
  return { status: 200, body };
}
