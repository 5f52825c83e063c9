import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import * as api from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { registerSecrets } from "@recourse/faults";
import { redactedError } from "@recourse/faults/server";
import * as Sentry from "@sentry/node";
import { pino } from "pino";
import { logged, sentrySink } from "./incidents.ts";
import { callAll, TOOLS } from "./leaky-server.ts";
import { SECRET, UNREGISTERED } from "./secrets.ts";

const FORMS = [SECRET, Buffer.from(SECRET).toString("base64"), Buffer.from(SECRET).toString("hex")];
let unregister = () => {};
before(() => {
  unregister = registerSecrets(SECRET);
});
after(() => unregister());

function assertNoSecret(text: string): void {
  for (const form of FORMS) assert.ok(!text.includes(form), `found ${form} in ${text}`);
}

describe("pino", () => {
  it("logs every incident with its stack and without secrets", async () => {
    const lines: string[] = [];
    const logger = pino({ level: "trace" }, { write: (line: string) => lines.push(line) });
    const answers = await callAll(logged(logger));
    assert.equal(lines.length, TOOLS.length);
    for (const text of [answers, ...lines]) assertNoSecret(text);
    const [first] = lines.map((line) => JSON.parse(line));
    assert.equal(first.tool, "in_message");
    assert.equal(first.fault.kind, "unknown");
    assert.match(first.err.stack, /login failed with \[removed\][\s\S]*leaky-server\.ts/);
    // A password in an address is cut out, though nobody registered it. The rest leads to the cause.
    assert.ok(lines.join().includes(UNREGISTERED.replace("hunter2hunter2", "[removed]")));
    assert.ok(!answers.includes("hunter2hunter2"));
  });
});

describe("Sentry", () => {
  const sent: string[] = [];
  before(() => {
    Sentry.init({
      dsn: "http://public@127.0.0.1:9/1",
      transport: () => ({
        send: async (envelope) => {
          sent.push(JSON.stringify(envelope));
          return {};
        },
        flush: async () => true,
      }),
    });
  });
  after(() => Sentry.close());

  it("gets every incident without secrets, registered or not", async () => {
    await callAll(sentrySink(Sentry));
    await Sentry.flush();
    const events = sent.filter((one) => one.includes('"exception"'));
    assert.equal(events.length, TOOLS.length);
    for (const text of sent) {
      assertNoSecret(text);
      assert.ok(!text.includes("hunter2hunter2"), text);
    }
  });

  it("can group, find and link what it gets", () => {
    const [, [[, event]]] = JSON.parse(sent.find((one) => one.includes('"in_cause"')) ?? "[]");
    assert.deepEqual(event.fingerprint, ["tool/failed", "in_cause"]);
    // The sentence reached the caller whole, so its failure has no incident.
    assert.equal(event.tags.incident, undefined);
    const values = event.exception.values.map(({ type, value }: { type: string; value: string }) => [type, value]);
    assert.deepEqual(values, [
      ["Error", "below [removed]"],
      ["Error", "inner"],
      ["Error", "outer"],
    ]);
    const files = event.exception.values.at(-1).stacktrace.frames.map(({ filename }: { filename: string }) => filename);
    assert.ok(
      files.some((file: string) => file.endsWith("leaky-server.ts")),
      files.join(),
    );
  });

  it("would have got the secrets with the error itself", async () => {
    sent.length = 0;
    await callAll(({ cause }) => Sentry.captureException(cause));
    await Sentry.flush();
    assert.ok(sent.join().includes(SECRET));
  });
});

describe("OpenTelemetry", () => {
  it("can record the copy as an exception of a span", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const tracer = provider.getTracer("test");
    await callAll(async (incident) => {
      const span = tracer.startSpan("incident");
      span.recordException(await redactedError(incident));
      span.end();
    });
    await provider.forceFlush();
    const events = exporter.getFinishedSpans().flatMap((span) => span.events);
    assert.equal(events.length, TOOLS.length);
    assertNoSecret(JSON.stringify(events));
    assert.ok(!JSON.stringify(events).includes("hunter2hunter2"));
    await provider.shutdown();
  });
});
