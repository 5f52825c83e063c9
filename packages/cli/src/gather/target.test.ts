import { expect, test } from "vitest";
import { describeTarget, hideSecrets, repeatedSecretForms, secretValues } from "./target.ts";

test("a secret is hidden in texts and keys, in its usual forms", () => {
  const forms = repeatedSecretForms(['Bearer s3cr3t/"value']);
  const echoed = {
    plain: 'got s3cr3t/"value',
    json: JSON.stringify({ a: 's3cr3t/"value' }),
    url: `?t=${encodeURIComponent('s3cr3t/"value')}`,
    base64: btoa('s3cr3t/"value'),
    list: [{ 's3cr3t/"value': 1 }],
  };
  expect(JSON.stringify(hideSecrets(echoed, forms))).not.toMatch(/s3cr3t|czNjcjN0/);
  expect(hideSecrets("Bearer of news", forms)).toBe("Bearer of news");
});

test("a secret that was cut is hidden, and the word before it is not", () => {
  const forms = repeatedSecretForms(["Bearer s3cr3t-value"]);
  expect(hideSecrets("it was Bearer s3cr3t-v", forms)).toBe("it was ‹hidden›");
  expect(hideSecrets("it was s3cr3t-v", forms)).toBe("it was ‹hidden›");
  expect(hideSecrets({ "www-authenticate": "Bearer" }, forms)).toEqual({ "www-authenticate": "Bearer" });
});

test("short and ordinary values are not secrets", () => {
  expect(repeatedSecretForms(["true", "1", "production", "Basic"])).toEqual([]);
  expect(secretValues({ Accept: "application/json", "X-Api-Key": "k-123456" })).toEqual(["k-123456"]);
});

test("user, password and secrets of the query are not shown", () => {
  const found = describeTarget(
    { transport: "http", url: "https://ann:p4ssword@example.com/mcp?api_key=k-123456&q=1#x" },
    { headers: {} },
  );
  expect(found).toMatchObject({
    ok: true,
    shown: { url: "https://example.com/mcp?api_key=‹hidden›&q=1" },
    place: { headers: { authorization: `Basic ${btoa("ann:p4ssword")}` } },
  });
  expect(found.ok && found.place.transport === "http" && found.place.url.href).toBe(
    "https://example.com/mcp?api_key=k-123456&q=1",
  );
  expect(found.ok && found.place.secrets).toContain("k-123456");
  expect(describeTarget({ transport: "http", url: "ftp://example.com" }, { headers: {} }).ok).toBe(false);
  expect(describeTarget({ transport: "http", url: "nonsense" }, { headers: {} }).ok).toBe(false);
});

test("arguments that look like secrets are not shown", () => {
  const args = ["--token", "t-123456", "--api-key=k-123456", "postgres://u:p4ssword@db/x", "--port", "80"];
  const found = describeTarget({ transport: "stdio", command: "node", args }, { headers: {} });
  expect(found.ok && found.shown.command).toEqual([
    "node",
    "--token",
    "‹hidden›",
    "--api-key=‹hidden›",
    "postgres://u:‹hidden›@db/x",
    "--port",
    "80",
  ]);
  expect(new Set(found.ok ? found.place.secrets : [])).toEqual(new Set(["t-123456", "k-123456", "p4ssword"]));
});
