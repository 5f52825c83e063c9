// The tools of the conformance suite that ask the client for input: in the result (2026-07-28), or by a request (2025-11-25).
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

const NO_ARGUMENTS = z.object({});
const textResult = (value: string) => ({ content: [{ type: "text", text: value } as const] });

type Fields = Record<string, { type: "string" } | { type: "boolean" }>;
const elicit = (message: string, properties: Fields) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties, required: Object.keys(properties) },
  });
const sample = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: prompt } }],
    maxTokens: 100,
  });
const askName = () => elicit("What is your name?", { name: { type: "string" } });

/** The capabilities of the client, in the `_meta` of a request. */
type Envelope = { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
type Answers = ServerContext["mcpReq"]["inputResponses"];
const nameIn = (answers: Answers, key = "user_name") => acceptedContent<{ name: string }>(answers, key)?.name;
const answerOf = (answers: Answers, key: string) =>
  answers?.[key] as { content?: { text?: string }; roots?: { uri?: string }[] } | undefined;

/** Registers tools that ask with an `input_required` result and signed state. */
export function serveInputs(server: McpServer, states: RequestStateCodec<Record<string, unknown>>): void {
  const tool = (name: string, run: (context: ServerContext) => unknown) =>
    server.registerTool(name, { description: name, inputSchema: NO_ARGUMENTS }, (_, context) => run(context) as never);
  const mrtr = (name: string, run: (context: ServerContext, answers: Answers) => unknown) =>
    tool(`test_input_required_result_${name}`, (context) => run(context, context.mcpReq.inputResponses));
  const sealState = (state: Record<string, unknown>) => states.mint({ ...state, nonce: crypto.randomUUID() });
  const confirm = () => elicit("Please confirm", { ok: { type: "boolean" } });

  tool("test_missing_capability", ({ mcpReq }) =>
    mcpReq.inputResponses?.["answer"] === undefined
      ? inputRequired({ inputRequests: { answer: sample("Say pong") } })
      : textResult("sampled"),
  );
  mrtr("elicitation", (_, answers) => {
    const name = nameIn(answers);
    return typeof name === "string"
      ? textResult(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: askName() } });
  });
  mrtr("sampling", (_, answers) => {
    const answer = answerOf(answers, "capital_question");
    return answer === undefined
      ? inputRequired({ inputRequests: { capital_question: sample("What is the capital of France?") } })
      : textResult(`Sampling response: ${answer.content?.text}`);
  });
  mrtr("list_roots", (_, answers) => {
    const roots = answerOf(answers, "client_roots")?.roots;
    return Array.isArray(roots)
      ? textResult(`Roots: ${roots.map(({ uri }) => uri).join(", ")}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  mrtr("request_state", async ({ mcpReq }, answers) => {
    if (acceptedContent(answers, "confirm") === undefined) {
      return inputRequired({ inputRequests: { confirm: confirm() }, requestState: await sealState({}) });
    }
    return textResult(mcpReq.requestState() === undefined ? "no state" : "state-ok");
  });
  mrtr("multiple_inputs", async (_, answers) => {
    const name = nameIn(answers);
    const greeting = answerOf(answers, "greeting")?.content?.text;
    const roots = answerOf(answers, "client_roots")?.roots;
    if (typeof name === "string" && typeof greeting === "string" && Array.isArray(roots)) {
      return textResult(`${greeting} ${name}, ${roots.length} roots`);
    }
    const inputRequests = {
      user_name: askName(),
      greeting: sample("Generate a greeting"),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await sealState({}) });
  });
  mrtr("multi_round", async ({ mcpReq }, answers) => {
    const state = mcpReq.requestState<{ round?: number; name?: string }>();
    if (state?.round === undefined) {
      return inputRequired({ inputRequests: { step1: askName() }, requestState: await sealState({ round: 1 }) });
    }
    if (state.round === 1) {
      const step2 = elicit("What is your favorite color?", { color: { type: "string" } });
      const requestState = await sealState({ round: 2, name: nameIn(answers, "step1") });
      return inputRequired({ inputRequests: { step2 }, requestState });
    }
    return textResult(`${state.name} likes ${acceptedContent<{ color: string }>(answers, "step2")?.color}`);
  });
  mrtr("tampered_state", async ({ mcpReq }, answers) =>
    mcpReq.requestState() !== undefined && acceptedContent(answers, "confirm") !== undefined
      ? textResult("integrity-ok")
      : inputRequired({ inputRequests: { confirm: confirm() }, requestState: await sealState({}) }),
  );
  mrtr("capabilities", ({ mcpReq }, answers) => {
    if (answers !== undefined) return textResult("answered");
    const declared = (mcpReq.envelope as Envelope)?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: InputRequests = {
      ...(declared?.elicitation !== undefined && { user_name: askName() }),
      ...(declared?.sampling !== undefined && { greeting: sample("Generate a greeting") }),
      ...(declared?.roots !== undefined && { client_roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length === 0 ? textResult("nothing to ask") : inputRequired({ inputRequests });
  });
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks" }, ((context: ServerContext) => {
    const given = acceptedContent<{ context: string }>(context.mcpReq.inputResponses, "user_context")?.context;
    if (typeof given === "string") {
      return { messages: [{ role: "user", content: { type: "text", text: `Use the context: ${given}` } }] };
    }
    const user_context = elicit("What context should the prompt use?", { context: { type: "string" } });
    return inputRequired({ inputRequests: { user_context } });
  }) as never);
}

const choices = (...values: string[]) => values.map((value) => ({ const: value, title: `Choice ${value}` }));
const oneOfThree = ["option1", "option2", "option3"];

/** The forms of older clients. */
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

/** Registers tools that ask with a request to the client. */
export function serveRequests(server: McpServer): void {
  const ask = async (context: ServerContext, message: string, properties: object) => {
    const params = { message, requestedSchema: { type: "object", properties } };
    const response = await context.mcpReq.send({ method: "elicitation/create", params } as never);
    return textResult(JSON.stringify(response));
  };
  server.registerTool(
    "test_sampling",
    { description: "Samples", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: prompt } }];
      const response = await mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
      return textResult(`LLM response: ${JSON.stringify(response)}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks", inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => ask(context, message, { response: { type: "string" } }),
  );
  for (const [name, properties] of Object.entries(FORMS)) {
    server.registerTool(name, { description: "Asks", inputSchema: NO_ARGUMENTS }, (_, context) =>
      ask(context, "Please fill in the form", properties),
    );
  }
}
