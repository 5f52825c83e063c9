import type { LeakTable } from "./values.ts";

/** Stack traces, code frames and debug pages of many languages and frameworks. */
export const stack = {
  node: [
    "TypeError: Cannot read properties of undefined (reading 'id')\n    at OrderRepo.find (/app/dist/repo/order.js:41:17)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
    "/app/dist/repo/order.js",
    "OrderRepo.find",
  ],
  "node-json": [
    JSON.stringify({ message: "boom", stack: "Error: boom\n    at svc (webpack:///./src/billing.ts:9:3)" }),
    "billing.ts",
  ],
  "node-one-frame": ["boom at async Ledger.post (src/ledger/post.ts:88:11)", "src/ledger/post.ts", "Ledger.post"],
  "node-anonymous": ["Error: x at /usr/src/app/server.js:10:5", "/usr/src/app/server.js"],
  "node-cause": [
    "Error: refund failed { [cause]: SettlementDriftError: 3 rows } at settleBatch",
    "SettlementDriftError",
    "settleBatch",
  ],
  browser: ["settle@https://app.acme.example/assets/index-4f1c.js:1:33021", "index-4f1c.js"],
  deno: ["error: Uncaught (in promise) at file:///deno-dir/gateway/mod.ts:12:9", "/deno-dir/gateway"],
  "typescript-frame": ["> 12 |   const tariff = rows[0].tariffPlanId\n     |                  ^", "tariffPlanId"],
  python: [
    "Traceback (most recent call last):\n  File \"/opt/svc/api/views.py\", line 88, in post\n    charge(card)\nKeyError: 'amount'",
    "/opt/svc/api/views.py",
  ],
  "python-one-line": ['File "billing/tasks.py", line 12, in run_dunning', "billing/tasks.py", "run_dunning"],
  "python-chained": [
    "During handling of the above exception, another exception occurred: acme.errors.LedgerLocked",
    "acme.errors.LedgerLocked",
  ],
  pydantic: [
    "1 validation error for InternalTariffModel\nbase_rate\n  Input should be a valid number [type=float_type]",
    "InternalTariffModel",
  ],
  java: [
    "java.lang.IllegalStateException: x\n\tat com.acme.billing.Ledger.post(Ledger.java:211)\nCaused by: java.sql.SQLException: y",
    "com.acme.billing",
  ],
  spring: [
    "Whitelabel Error Page: org.springframework.beans.factory.NoSuchBeanDefinitionException: acmeTariffService",
    "acmeTariffService",
  ],
  kotlin: ['Exception in thread "main" at com.acme.RatesKt.invokeSuspend(Rates.kt:42)', "RatesKt.invokeSuspend"],
  scala: ["scala.MatchError: None at acme.pricing.Engine$.quote(Engine.scala:19)", "acme.pricing.Engine"],
  go: [
    "panic: runtime error: index out of range [3]\n\ngoroutine 17 [running]:\nmain.handler(0xc000123)\n\t/go/src/acme/main.go:57 +0x1d",
    "/go/src/acme",
  ],
  "go-wrapped": [
    "rpc: settle: ledger/v2.(*Store).Commit: tx already closed (store.go:118)",
    "(*Store).Commit",
    "store.go:118",
  ],
  dotnet: [
    "   at Acme.Web.OrdersController.Get(Int32 id) in D:\\build\\Acme.Web\\OrdersController.cs:line 42",
    "OrdersController",
  ],
  "dotnet-inner": [
    "System.AggregateException: One or more errors occurred. ---> Acme.Core.TariffDriftException: rate mismatch",
    "TariffDriftException",
  ],
  php: ["PHP Fatal error:  Uncaught PDOException in /var/www/html/lib/Db.php:33", "/var/www/html"],
  "php-frames": [
    "#0 vendor/acme/erp/src/Invoice.php(88): Acme\\Erp\\Invoice->book()",
    "Acme\\Erp\\Invoice",
    "Invoice.php",
  ],
  laravel: ["SQLSTATE[42S02] (Connection: tenant_mysql) in app/Models/TenantInvoice.php:31", "TenantInvoice.php"],
  ruby: ["app/models/user.rb:14:in `find_by!': undefined method (NoMethodError)", "app/models/user.rb"],
  rust: ["thread 'tokio-runtime-worker' panicked at src/ledger.rs:77:14: called `Result::unwrap()`", "src/ledger.rs"],
  "rust-backtrace": [
    "   3: acme_core::pricing::quote\n             at ./crates/pricing/src/lib.rs:51",
    "acme_core::pricing",
  ],
  swift: [
    "Fatal error: Unexpectedly found nil: file Sources/Billing/Rate.swift, line 20",
    "Sources/Billing/Rate.swift",
  ],
  cpp: ["terminate called after throwing an instance of 'acme::TariffError' what(): bad_rate", "acme::TariffError"],
  "c-sanitizer": [
    "==4711==ERROR: AddressSanitizer: heap-use-after-free on 0x602000000010 in rate_lookup rates.c:33",
    "rate_lookup",
    "rates.c:33",
  ],
  elixir: [
    "** (FunctionClauseError) no function clause matching in Acme.Rates.fetch/2 (acme 0.4.1) lib/acme/rates.ex:9",
    "Acme.Rates.fetch/2",
  ],
  erlang: [
    "CRASH REPORT Process <0.412.0> with reason {badmatch,undefined} in rates_srv:handle_call/3",
    "rates_srv:handle_call/3",
  ],
  perl: [
    'Can\'t locate object method "rate" via package "Acme::Tariff" at lib/Acme/Tariff.pm line 40.',
    "lib/Acme/Tariff.pm",
  ],
  lua: [
    "lua entry thread aborted: access_by_lua(rates.conf:12):4: attempt to index nil value 'tariff_cache'",
    "tariff_cache",
  ],
  shell: ["./deploy/rotate-keys.sh: line 31: VAULT_ROLE_ID: unbound variable", "rotate-keys.sh", "VAULT_ROLE_ID"],
  "abap-dump": ["Runtime error CONVT_NO_NUMBER in program ZFI_TARIFF_POST, include LZFITF01", "ZFI_TARIFF_POST"],
  "django-page": [
    "<!DOCTYPE html><title>DoesNotExist at /orders/9</title><pre>DJANGO_SETTINGS_MODULE=acme.settings.prod</pre>",
    "acme.settings.prod",
  ],
  "werkzeug-page": [
    "<div class=debugger>jinja2.exceptions.UndefinedError: 'tariff_ctx' is undefined</div>",
    "tariff_ctx",
  ],
  "express-page": [
    "<pre>ReferenceError: rateTable is not defined<br> &nbsp; at routes/quote.js:7:3</pre>",
    "rateTable",
    "routes/quote.js",
  ],
  "wasm-frame": ["wasm trap: unreachable at pricing.wasm!quote_entry (0x1f3a)", "pricing.wasm!quote_entry"],
  "core-file": ["Segmentation fault (core dumped) core.rated.4711 written", "core.rated.4711"],
} satisfies LeakTable;
