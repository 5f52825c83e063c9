import { filled, hex, type LeakTable } from "./values.ts";

/** Messages of databases, caches, search engines and ORMs: statements, names of tables and constraints, rows. */
export const sql = {
  "statement-with-values": [
    "syntax error near: SELECT id, pwd_hash FROM acct.users WHERE email = 'jane.roe@example.org'",
    "pwd_hash",
    "jane.roe",
  ],
  "insert-with-values": [
    "failed query: INSERT INTO kyc_checks (person, score) VALUES ('Johanna Mustermann', 0.31)",
    "kyc_checks",
    "Johanna Mustermann",
  ],
  "statement-lower-case": ["near line 1: delete from loyalty_ledger where card_no = 77120", "loyalty_ledger"],
  "query-plan": ["Seq Scan on tariff_overrides (cost=0.00..431.00 rows=21000)", "tariff_overrides"],
  "postgres-unique": ['duplicate key value violates unique constraint "tenant_users_ssn_key"', "tenant_users_ssn_key"],
  "postgres-detail": ["DETAIL:  Key (email)=(jane.roe@example.org) already exists.", "jane.roe"],
  "postgres-row": ["Failing row contains (8812, Mustermann, null, 1984-03-17).", "Mustermann"],
  "postgres-relation": ['relation "tenant_42.payment_secrets" does not exist', "payment_secrets"],
  "postgres-column": ['column u.mfa_key_enc does not exist. Perhaps you meant "u.mfa_key"', "mfa_key"],
  "postgres-auth": ['password authentication failed for user "app_superuser"', "app_superuser"],
  "postgres-hba": [
    'no pg_hba.conf entry for host "10.0.9.4", user "app", database "ledger_prod", SSL off',
    "10.0.9.4",
    "ledger_prod",
  ],
  "postgres-policy": ['new row violates row-level security policy for table "salary_bands"', "salary_bands"],
  "postgres-deadlock": [
    "Process 4711 waits for ShareLock on transaction 90210077; blocked by process 4712",
    "90210077",
  ],
  "mysql-duplicate": [
    "ER_DUP_ENTRY: Duplicate entry 'jane.roe@example.org' for key 'customer.uq_mail'",
    "jane.roe",
    "uq_mail",
  ],
  "mysql-access": [
    "ER_ACCESS_DENIED_ERROR: Access denied for user 'erp_ro'@'10.8.0.3' (using password: YES)",
    "erp_ro",
    "10.8.0.3",
  ],
  "mysql-foreign-key": [
    "Cannot add or update a child row: CONSTRAINT `fk_refund_ledger` FOREIGN KEY (`ledger_no`)",
    "fk_refund_ledger",
  ],
  "mysql-syntax": [
    "You have an error in your SQL syntax; check the manual near 'FROM wage_slips' at line 1",
    "wage_slips",
  ],
  sqlite: ["SQLITE_CONSTRAINT: UNIQUE constraint failed: members.national_no", "members.national_no"],
  "sqlite-file": ["SQLITE_CANTOPEN: unable to open database file data/tenant-42.db", "tenant-42.db"],
  oracle: ["ORA-00001: unique constraint (ERP.UX_PAYEE_TAXNO) violated", "UX_PAYEE_TAXNO"],
  "oracle-plsql": ['ORA-06512: at "ERP.PKG_PAYOUT", line 212', "PKG_PAYOUT"],
  mssql: [
    "Violation of PRIMARY KEY constraint 'PK_WageSlip'. Cannot insert duplicate key in object 'dbo.WageSlip'.",
    "PK_WageSlip",
  ],
  "mssql-cast": ["Conversion failed when converting the nvarchar value 'Mustermann' to data type int.", "Mustermann"],
  db2: ["SQLCODE=-803, SQLSTATE=23505, SQLERRMC=2;ERP.PAYEE, DRIVER=4.29.24", "ERP.PAYEE"],
  snowflake: [
    "SQL compilation error: Object 'FIN_RAW.PAYROLL.SLIPS' does not exist or not authorized.",
    "FIN_RAW.PAYROLL.SLIPS",
  ],
  bigquery: ["Not found: Table acme-prod-9931:fin_raw.payroll was not found in location EU", "fin_raw.payroll"],
  clickhouse: ["Code: 60. DB::Exception: Table fin.wage_events does not exist. (UNKNOWN_TABLE)", "fin.wage_events"],
  cassandra: [
    'InvalidRequest: Error from server: code=2200 message="unconfigured table wage_by_person"',
    "wage_by_person",
  ],
  "mongo-duplicate": [
    'E11000 duplicate key error collection: prod.accounts index: phone_1 dup key: { phone: "+14155550137" }',
    "prod.accounts",
    "4155550137",
  ],
  "mongo-command": [
    'not authorized on fin_prod to execute command { find: "wages", filter: { boss: "roe" } }',
    "fin_prod",
  ],
  "mongo-topology": [
    "MongoServerSelectionError: connection <monitor> to mongo-rs0-2.fin:27017 timed out",
    "mongo-rs0-2.fin",
  ],
  dynamodb: [
    "ResourceNotFoundException: Requested resource not found: Table: WageSlips-prod not found",
    "WageSlips-prod",
  ],
  elastic: [
    '{"error":{"type":"index_not_found_exception","reason":"no such index [fin-wages-2026.01]"},"status":404}',
    "fin-wages-2026.01",
  ],
  "elastic-query": ['parsing_exception: [match] unknown token at {"match":{"iban_plain":"x"}}', "iban_plain"],
  "redis-moved": ["MOVED 3999 10.3.3.3:6381", "10.3.3.3"],
  "redis-wrong-type": ["WRONGTYPE Operation against key sess:kim:mfa holding the wrong kind of value", "sess:kim:mfa"],
  "redis-acl": ["NOPERM this user has no permissions to access one of the keys 'fin:wages:*'", "fin:wages"],
  memcached: ["SERVER_ERROR object too large for cache fin_wages_roe", "fin_wages_roe"],
  prisma: [
    "Invalid `prisma.customer.create()` invocation in\n/app/src/svc.ts:12:30 Unique constraint failed on the fields: (`tax_id`)",
    "/app/src/svc.ts",
    "tax_id",
  ],
  typeorm: ['QueryFailedError: null value in column "payout_iban" of relation "payee"', "payout_iban"],
  sequelize: [
    "SequelizeUniqueConstraintError: wage_slips_person_id_month must be unique",
    "wage_slips_person_id_month",
  ],
  "active-record": [
    'ActiveRecord::RecordNotFound: Couldn\'t find WageSlip with [WHERE "wage_slips"."person_id" = $1]',
    "wage_slips",
  ],
  hibernate: [
    "could not execute statement; constraint [uk_payee_taxno]; nested exception is ConstraintViolation",
    "uk_payee_taxno",
  ],
  sqlalchemy: [
    "(psycopg2.errors.UndefinedTable) [SQL: UPDATE wage_slips SET gross=%(gross)s] [parameters: {'gross': 84250}]",
    "wage_slips",
    "84250",
  ],
  drizzle: ['Failed query: update "payee" set "payout_iban" = $1 params: DE00', "payout_iban"],
  "migration-lock": filled("Migration 20260131_add_wage_bands failed, checksum {0}", [hex(40)], "add_wage_bands"),
  "graphql-extensions": [
    JSON.stringify({
      errors: [{ message: "x", extensions: { exception: { stacktrace: ["at Q.user (/srv/gql/q.js:3:1)"] } } }],
    }),
    "/srv/gql/q.js",
  ],
  "graphql-field": [
    'Cannot query field "mfaKey" on type "InternalUser". Did you mean "mfaKeyEnc"?',
    "mfaKey",
    "InternalUser",
  ],
} satisfies LeakTable;
