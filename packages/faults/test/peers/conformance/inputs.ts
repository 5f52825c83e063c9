// The tools of the conformance suite that ask their client: in the result (2026-07-28), or by a request (2025-11-25).
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  inputRequired,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

const NONE = z.object({});
const text = (said: string) => ({ content: [{ type: "text", text: said } as const] });

type Fields = Record<string, { type: "string" } | { type: "boolean" }>;
const elicit = (message: string, properties: Fields) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties, required: Object.keys(properties) },
  });
const sample = (said: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: said } }],
    maxTokens: 100,
  });
const ASK_NAME = () => elicit("What is your name?", { name: { type: "string" } });

/** The part of the envelope that says what the client can do. */
type Envelope = { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
type Answers = ServerContext["mcpReq"]["inputResponses"];
const nameIn = (answers: Answers, key = "user_name") => acceptedContent<{ name: string }>(answers, key)?.name;
const answerOf = (answers: Answers, key: string) =>
  answers?.[key] as { content?: { text?: string }; roots?: { uri?: string }[] } | undefined;

/** Registers what asks by an `input_required` result, with state that only this server can have made. */
export function serveInputs(server: McpServer, states: RequestStateCodec<Record<string, unknown>>): void {
  const tool = (name: string, run: (context: ServerContext) => unknown) =>
    server.registerTool(name, { description: name, inputSchema: NONE }, (_, context) => run(context) as never);
  const mrtr = (name: string, run: (context: ServerContext, answers: Answers) => unknown) =>
    tool(`test_input_required_result_${name}`, (context) => run(context, context.mcpReq.inputResponses));
  const mint = (state: Record<string, unknown>) => states.mint({ ...state, nonce: crypto.randomUUID() });
  const confirm = () => elicit("Please confirm", { ok: { type: "boolean" } });

  tool("test_missing_capability", ({ mcpReq }) =>
    mcpReq.inputResponses?.["answer"] === undefined
      ? inputRequired({ inputRequests: { answer: sample("Say pong") } })
      : text("sampled"),
  );
  mrtr("elicitation", (_, answers) => {
    const name = nameIn(answers);
    return typeof name === "string"
      ? text(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: ASK_NAME() } });
  });
  mrtr("sampling", (_, answers) => {
    const answer = answerOf(answers, "capital_question");
    return answer === undefined
      ? inputRequired({ inputRequests: { capital_question: sample("What is the capital of France?") } })
      : text(`Sampling response: ${answer.content?.text}`);
  });
  mrtr("list_roots", (_, answers) => {
    const roots = answerOf(answers, "client_roots")?.roots;
    return Array.isArray(roots)
      ? text(`Roots: ${roots.map(({ uri }) => uri).join(", ")}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  mrtr("request_state", async ({ mcpReq }, answers) => {
    if (acceptedContent(answers, "confirm") === undefined) {
      return inputRequired({ inputRequests: { confirm: confirm() }, requestState: await mint({}) });
    }
    return text(mcpReq.requestState() === undefined ? "no state" : "state-ok");
  });
  mrtr("multiple_inputs", async (_, answers) => {
    const name = nameIn(answers);
    const greeting = answerOf(answers, "greeting")?.content?.text;
    const roots = answerOf(answers, "client_roots")?.roots;
    if (typeof name === "string" && typeof greeting === "string" && Array.isArray(roots)) {
      return text(`${greeting} ${name}, ${roots.length} roots`);
    }
    const inputRequests = {
      user_name: ASK_NAME(),
      greeting: sample("Generate a greeting"),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await mint({}) });
  });
  mrtr("multi_round", async ({ mcpReq }, answers) => {
    const state = mcpReq.requestState<{ round?: number; name?: string }>();
    if (state?.round === undefined) {
      return inputRequired({ inputRequests: { step1: ASK_NAME() }, requestState: await mint({ round: 1 }) });
    }
    if (state.round === 1) {
      const step2 = elicit("What is your favorite color?", { color: { type: "string" } });
      const requestState = await mint({ round: 2, name: nameIn(answers, "step1") });
      return inputRequired({ inputRequests: { step2 }, requestState });
    }
    return text(`${state.name} likes ${acceptedContent<{ color: string }>(answers, "step2")?.color}`);
  });
  mrtr("tampered_state", async ({ mcpReq }, answers) =>
    mcpReq.requestState() !== undefined && acceptedContent(answers, "confirm") !== undefined
      ? text("integrity-ok")
      : inputRequired({ inputRequests: { confirm: confirm() }, requestState: await mint({}) }),
  );
  mrtr("capabilities", ({ mcpReq }, answers) => {
    if (answers !== undefined) return text("answered");
    const declared = (mcpReq.envelope as Envelope)?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: InputRequests = {
      ...(declared?.elicitation !== undefined && { user_name: ASK_NAME() }),
      ...(declared?.sampling !== undefined && { greeting: sample("Generate a greeting") }),
      ...(declared?.roots !== undefined && { client_roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length === 0 ? text("nothing to ask") : inputRequired({ inputRequests });
  });
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks" }, ((context: ServerContext) => {
    const said = acceptedContent<{ context: string }>(context.mcpReq.inputResponses, "user_context")?.context;
    if (typeof said === "string") {
      return { messages: [{ role: "user", content: { type: "text", text: `Use the context: ${said}` } }] };
    }
    const user_context = elicit("What context should the prompt use?", { context: { type: "string" } });
    return inputRequired({ inputRequests: { user_context } });
  }) as never);
}

const choices = (...values: string[]) => values.map((value) => ({ const: value, title: `Choice ${value}` }));
const oneOfThree = ["option1", "option2", "option3"];

/** The forms that older clients are asked to fill in. */
const FORMS = {
  test_elicitation_sep1034_defaults: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: "string", enum: oneOfThree },
    titledSingle: { type: "string", oneOf: choices("value1", "value2", "value3") },
    legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
    untitledMulti: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", enum: oneOfThree } },
    titledMulti: { type: "array", minItems: 1, maxItems: 3, items: { anyOf: choices("value1", "value2", "value3") } },
  },
} as const;

/** Registers what asks by a request of the server's own. */
export function serveRequests(server: McpServer): void {
  const ask = async (context: ServerContext, message: string, properties: object) => {
    const params = { message, requestedSchema: { type: "object", properties } };
    const said = await context.mcpReq.send({ method: "elicitation/create", params } as never);
    return text(JSON.stringify(said));
  };
  server.registerTool(
    "test_sampling",
    { description: "Samples", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: prompt } }];
      const said = await mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
      return text(`LLM response: ${JSON.stringify(said)}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks", inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => ask(context, message, { response: { type: "string" } }),
  );
  for (const [name, properties] of Object.entries(FORMS)) {
    server.registerTool(name, { description: "Asks", inputSchema: NONE }, (_, context) =>
      ask(context, "Please fill in the form", properties),
    );
  }
}
