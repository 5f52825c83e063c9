import type { SecretFilter } from "@recourse/faults";

/** A copy of plain data in which every text that holds a secret is null; a service may well repeat what it was sent. */
export function withoutSecrets(value: unknown, secrets: SecretFilter): unknown {
  if (secrets.size === 0 || !secrets.has(JSON.stringify(value) ?? "")) return value;
  return clean(value, secrets);
}

function clean(value: unknown, secrets: SecretFilter): unknown {
  if (typeof value === "string" || typeof value === "number") return secrets.has(String(value)) ? null : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => clean(one, secrets));
  const members = Object.entries(value).filter(([key]) => !secrets.has(key));
  return Object.fromEntries(members.map(([key, one]) => [key, clean(one, secrets)]));
}
