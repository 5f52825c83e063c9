import { APPROVAL_SCHEMA } from "./approvals/approval-statements.ts";
import { CHANGE_SCHEMA } from "./changes/postgres-changes.ts";
import { COUNT_SCHEMA } from "./counts/count-tables.ts";
import { IDEMPOTENCY_SCHEMA } from "./idempotency/idempotency.ts";
import { INCIDENT_SCHEMA } from "./incidents/tables.ts";
import { SECRET_SCHEMA } from "./stores/gateway-secret.ts";
import { KEY_SCHEMA } from "./stores/keys.ts";
import type { SchemaPart } from "./stores/postgres.ts";

/** All tables of a gateway, whatever its file asks for. */
export const SCHEMA_PARTS: readonly SchemaPart[] = [
  IDEMPOTENCY_SCHEMA,
  APPROVAL_SCHEMA,
  SECRET_SCHEMA,
  INCIDENT_SCHEMA,
  COUNT_SCHEMA,
  KEY_SCHEMA,
  CHANGE_SCHEMA,
];
