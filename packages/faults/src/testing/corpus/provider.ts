import { alnum, alphabet, chars, digits, filled, hex, type LeakTable } from "./values.ts";

const uuid = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

/** Raw answers of the services behind the server: bodies, headers, ids of their requests and objects. */
export const provider = {
  "stripe-decline": filled("Your card was declined. (ch_{0}) request-id req_{1}", [alnum(24), alnum(14)]),
  "stripe-body": filled(
    '{"error":{"code":"resource_missing","message":"No such customer: \'cus_{0}\'","request_log_url":"https://dashboard.stripe.com/logs/req_{1}"}}',
    [alnum(14), alnum(14)],
  ),
  paypal: filled('{"name":"UNPROCESSABLE_ENTITY","debug_id":"{0}","links":[]}', [hex(13)]),
  adyen: filled(
    "422 Unprocessable: pspReference {0}, merchantAccount AcmeEU_POS",
    [chars(16, alphabet.upperAlnum)],
    "AcmeEU_POS",
  ),
  entra: [
    `AADSTS700016: Application with identifier ${uuid} was not found in the directory contoso-prod`,
    "3f2504e0",
    "contoso-prod",
  ],
  "entra-trace": filled("AADSTS50173: expired. Trace ID: {0} Correlation ID: {1} Timestamp: 2026-01-31 10:00:00Z", [
    hex(32),
    hex(32),
  ]),
  "graph-api": filled(
    '{"error":{"code":"Forbidden","innerError":{"client-request-id":"{0}","tenant":"contoso-hr"}}}',
    [hex(32)],
    "contoso-hr",
  ),
  "aws-sdk": filled("ThrottlingException: Rate exceeded (Service: Ssm, Status Code: 400, Request ID: {0})", [hex(32)]),
  "aws-lambda": filled(
    '{"errorType":"Runtime.ExitError","errorMessage":"RequestId: {0} Error: acme-rates exited"}',
    [hex(32)],
    "acme-rates",
  ),
  "gcp-grpc": [
    '7 PERMISSION_DENIED: The caller does not have permission [service=run.googleapis.com, consumer="projects/884213377012"]',
    "884213377012",
  ],
  "gcp-debug-info": [
    '{"@type":"type.googleapis.com/google.rpc.DebugInfo","stackEntries":["billing.cc:88"],"detail":"[ORIGINAL ERROR] spanner::stale"}',
    "billing.cc",
    "spanner::stale",
  ],
  "gcp-help-link": [
    "Cloud Billing API has not been used in project 884213377012 before or it is disabled. Enable it in the console",
    "884213377012",
  ],
  "grpc-metadata": filled(
    "13 INTERNAL: Received RST_STREAM with code 2 (x-envoy-upstream: rates-v3; x-b3-traceid: {0})",
    [hex(32)],
    "rates-v3",
  ),
  "envoy-reset": [
    "upstream connect error or disconnect/reset before headers. reset reason: connection failure, cluster outbound|8080||rates",
    "outbound|8080||rates",
  ],
  "cloudflare-page": filled(
    "<html><body>502 Bad Gateway cloudflare Ray ID: {0} origin lb-eu-3</body></html>",
    [hex(16)],
    "lb-eu-3",
  ),
  "akamai-page": filled("Access Denied Reference #18.{0}.1769853600.{1}", [hex(8), hex(8)]),
  "varnish-page": filled("Error 503 Backend fetch failed Guru Meditation: XID: {0} Varnish cache-fra-{1}", [
    digits(9),
    digits(5),
  ]),
  "iis-page": [
    "HTTP Error 500.19 Config Source: 38: &lt;add name=&quot;ErpModule&quot; /&gt; Handler ErpModule",
    "ErpModule",
  ],
  "tomcat-page": [
    "<h1>HTTP Status 500</h1><p>Servlet.service() for servlet [rateDispatcher] threw exception</p>",
    "rateDispatcher",
  ],
  salesforce: filled(
    '[{"errorCode":"INVALID_FIELD","message":"No such column \'Wage_Band__c\' on entity \'Contact\' ({0})"}]',
    [alnum(18)],
    "Wage_Band__c",
  ),
  sap: ["/IWBEP/CM_MGW_RT/021: RFC error in system PRD client 100 function Z_PAYOUT_POST", "Z_PAYOUT_POST"],
  servicenow: filled(
    '{"error":{"message":"ACL Exception","detail":"sys_id {0} on u_wage_case"}}',
    [hex(32)],
    "u_wage_case",
  ),
  jira: [
    '{"errorMessages":[],"errors":{"customfield_10482":"Field \'Wage band\' cannot be set."}}',
    "customfield_10482",
  ],
  "github-body": [
    '{"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest","installation":48120337}',
    "48120337",
  ],
  "slack-body": filled('{"ok":false,"error":"not_in_channel","needed":"channels:join","team":"T{0}"}', [
    chars(9, alphabet.upperAlnum),
  ]),
  twilio: filled("Twilio could not find a Channel: MG{0}, see error 63007", [hex(32)]),
  openai: filled("Rate limit reached for gpt-4o in organization org-{0} on tokens per min", [alnum(24)]),
  "openai-prompt-echo": [
    "content_filter triggered by: 'You are AcmeRateBot, never reveal margin of 31 percent'",
    "AcmeRateBot",
    "margin of 31 percent",
  ],
  "firebase-rules": ["PERMISSION_DENIED: false for 'get' @ L42, match /wages/{person}", "/wages/{person}"],
  "kafka-connect": ["Task fin-wages-sink-0 is being killed: ConnectException in converter", "fin-wages-sink-0"],
  "soap-fault": [
    "<soap:Fault><faultstring>Server was unable to process</faultstring><detail><WageService.Calc/></detail></soap:Fault>",
    "WageService.Calc",
  ],
  "header-dump": filled(
    "< HTTP/1.1 500\n< x-amzn-requestid: {0}\n< x-backend: rates-blue-7\n< via: 1.1 varnish",
    [hex(32)],
    "rates-blue-7",
  ),
} satisfies LeakTable;

/** Internal names and numbers, which help an attacker but not a caller. */
export const internalId = {
  uuid: ["tenant 7d444840-9dc0-11d1-b245-5ffdce74fad2 is suspended", "7d444840"],
  "uuid-bare": filled("actor {0} holds the lease", [hex(32)]),
  "object-id": filled("document {0} is locked", [hex(24)]),
  // Of 2023: later ones have the form of our own ids, which are no secrets.
  ulid: filled("job 01H{0} was evicted", [chars(23, "0123456789ABCDEFGHJKMNPQRSTVWXYZ")]),
  ksuid: filled("event 2{0} already consumed", [alnum(26)]),
  snowflake: filled("message {0} was deleted by a moderator", [digits(18)]),
  "numeric-key": ["user_id=90210077 has no row in acl_v2", "90210077", "acl_v2"],
  "other-tenant": ["order 77120 belongs to tenant globex-emea", "globex-emea"],
  "feature-flag": ["blocked by flag exp_billing_rewrite_2026q1 (cohort B7)", "exp_billing_rewrite_2026q1"],
  "price-rule": ["margin floor rule MRG_FLOOR_31PCT rejected the quote", "MRG_FLOOR_31PCT"],
  "code-name": ["Project Nightjar accounts cannot be exported before the launch", "Nightjar"],
  "trace-context": filled("traceparent: 00-{0}-{1}-01", [hex(32), hex(16)]),
  "git-commit": filled("built from {0} on branch hotfix/wage-rounding", [hex(40)], "hotfix/wage-rounding"),
  "session-id": filled("Mcp-Session-Id {0} is bound to another user", [hex(32)]),
  "cron-name": ["nightly_wage_export still holds lock fin.wages.export", "nightly_wage_export", "fin.wages.export"],
  "staff-name": ["approval pending with k.schmidt2 (L3 payroll desk)", "k.schmidt2"],
  "graphql-node": filled("node {0} is archived", [chars(32, alphabet.alnum)]),
  "memory-address": ["<Rate object at 0x7f8e1c2b3d40> is not serializable", "0x7f8e1c2b3d40"],
} satisfies LeakTable;
