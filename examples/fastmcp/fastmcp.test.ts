import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Fault, render } from "@recourse/faults";
import { type RecourseClient, recourse } from "@recourse/faults/client";
import { guard } from "@recourse/faults/server";
import { FastMCP } from "fastmcp";

interface Answered {
  /** What a client without the kit shows its model. */
  readonly plain: string;
  /** What the kit shows it. */
  readonly kit: string;
  readonly fault: Fault | undefined;
}

const CALLS = { works: { order: 7 }, missing: { order: 9 }, user: { order: 6 }, secret: { order: 8 } } as const;
const WRONG = { order: "7", why: "bored" };

class Peer {
  readonly client = new Client({ name: "test", version: "1.0.0" });
  readonly kit: RecourseClient<Client> = recourse(this.client);

  async start(mode: "bare" | "guarded"): Promise<void> {
    const file = fileURLToPath(new URL("server.ts", import.meta.url));
    const transport = new StdioClientTransport({ command: process.execPath, args: [file, mode], stderr: "ignore" });
    await this.client.connect(transport);
  }

  async call(args: Record<string, unknown>, name = "cancel_order"): Promise<Answered> {
    const plain = await this.client.callTool({ name, arguments: args }).then(
      ({ content }) => (content[0]?.type === "text" ? content[0].text : ""),
      (error: Error) => error.message,
    );
    const outcome = await this.kit.call(name, args);
    const fault = outcome.ok ? undefined : outcome.fault;
    return { plain, kit: fault === undefined ? "" : render(fault, { for: "model" }), fault };
  }
}

const bare = new Peer();
const guarded = new Peer();
before(() => Promise.all([bare.start("bare"), guarded.start("guarded")]));
after(() => Promise.all([bare.client.close(), guarded.client.close()]));

describe("a FastMCP server with guardTool", () => {
  it("answers as before where nothing fails", async () => {
    assert.equal((await guarded.call(CALLS.works)).plain, "Order 7 is cancelled.");
  });

  it("sends your sentence with what to do next, and the whole fault", async () => {
    const { plain, fault } = await guarded.call(CALLS.missing);
    assert.equal(plain, "There is no order 9. Call again with a different name or id.");
    assert.equal(fault?.kind, "not_found");
    assert.equal(fault?.effect, "none");
    assert.equal((await bare.call(CALLS.missing)).plain, "Tool 'cancel_order' execution failed: There is no order 9.");
  });

  it("shows what a UserError says, which was written for callers", async () => {
    const { plain } = await guarded.call(CALLS.user);
    assert.match(plain, /“Order 6 belongs to another customer\.”/);
  });

  it("keeps what was not written for callers in the log", async () => {
    const { plain, fault } = await guarded.call(CALLS.secret);
    assert.doesNotMatch(plain, /hunter2|ECONNREFUSED/);
    assert.match(plain, /before repeating the call\. If you report this, give incident [0-9A-Z]{26}\.$/);
    assert.equal(fault?.effect, "possible");
    assert.match((await bare.call(CALLS.secret)).plain, /hunter2/);
  });
});

describe("what FastMCP answers itself, with the client kit", () => {
  it("names each wrong argument", async () => {
    for (const peer of [bare, guarded]) {
      const { kit, fault } = await peer.call(WRONG);
      assert.equal(fault?.reason, "tool/invalid_arguments");
      assert.equal(fault?.effect, "none");
      assert.deepEqual(
        fault?.issues?.map(({ pointer, rule }) => [pointer, rule]),
        [
          ["/order", "type"],
          ["/why", "choice"],
        ],
      );
      assert.match(kit, /“order” must be “number”; “why” must be “one of "customer"\|"stock"”/);
    }
  });

  it("says that a tool does not exist", async () => {
    assert.equal((await bare.call({}, "cancel")).fault?.reason, "tool/not_found");
  });
});

describe("without guardTool", () => {
  it("the server sends the text of every error, and the kit can only mark it as a quotation", async () => {
    const { kit, fault } = await bare.call(CALLS.secret);
    assert.match(kit, /^The tool "cancel_order" reported a failure\. Quote from the server: “connect ECONNREFUSED/);
    assert.equal(fault?.reason, "tool/failed");
    assert.equal(fault?.effect, "possible");
  });

  it("guard refuses the server and says why", () => {
    assert.throws(() => guard(new FastMCP({ name: "x", version: "1.0.0" })), /guard needs an McpServer/);
  });
});
