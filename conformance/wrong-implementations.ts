// Implementations that break one requirement of docs/spec/faults.md each. The vectors have to catch every one of them.
import { isObject, type JsonObject } from "@recourse/core/wire";
import { answer, type DoorRequest } from "./door.ts";

/** An implementation with one mistake. */
export interface WrongImplementation {
  /** The requirement that it breaks. */
  readonly breaks: string;
  readonly about: string;
  answer(request: DoorRequest): object;
}

type Wrong = (given: JsonObject, request: DoorRequest) => object;

/** Changes the answer to one kind of request. */
const after =
  (name: string, change: Wrong): WrongImplementation["answer"] =>
  (request) => {
    const given = answer(request) as JsonObject;
    return request.do === name ? change(given, request) : given;
  };
/** Changes a fault that was read. */
const reads = (change: (fault: JsonObject, sent: JsonObject, request: DoorRequest) => JsonObject) =>
  after("decode", (given, request) =>
    isObject(given["fault"]) ? { fault: change(given["fault"], sentFault(request.wire), request) } : given,
  );
/** Changes what is written. */
const writes = (change: (wire: JsonObject, request: DoorRequest) => JsonObject) =>
  after("encode", (given, request) => ({ wire: change(given["wire"] as JsonObject, request) }));
/** Changes a text. */
const says = (change: (text: string, request: DoorRequest) => string) =>
  after("render", (given, request) => ({ text: change(String(given["text"]), request) }));
/** Changes the situation before it is decided. */
const decides =
  (change: (situation: JsonObject, fault: JsonObject) => JsonObject): WrongImplementation["answer"] =>
  (request) => {
    if (request.do !== "decide") return answer(request);
    const situation = request.situation as unknown as JsonObject;
    return answer({ ...request, situation: change(situation, situation["fault"] as JsonObject) as never });
  };
/** Changes the request before it is answered. */
const hears =
  (name: string, change: (request: DoorRequest) => DoorRequest): WrongImplementation["answer"] =>
  (request) =>
    answer(request.do === name ? change(request) : request);

const FAULT = "recourse/fault";

/** The fault that a wire carries, whether it is one or not. */
function sentFault(wire: unknown): JsonObject {
  const body = isObject(wire) ? (isObject(wire["result"]) ? wire["result"] : wire["error"]) : undefined;
  const place = isObject(body) ? (isObject(body["_meta"]) ? body["_meta"] : body["data"]) : undefined;
  const fault = isObject(place) ? place[FAULT] : undefined;
  return isObject(fault) ? fault : {};
}

/** The wire with another value for the fault that it carries. */
function withSent(request: DoorRequest, change: (fault: JsonObject) => unknown): DoorRequest {
  const wire = request.wire as JsonObject;
  const result = isObject(wire) ? wire["result"] : undefined;
  const meta = isObject(result) ? result["_meta"] : undefined;
  if (!isObject(result) || !isObject(meta) || !isObject(meta[FAULT])) return request;
  return { ...request, wire: { ...wire, result: { ...result, _meta: { ...meta, [FAULT]: change(meta[FAULT]) } } } };
}

const without = (value: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
const keepsSent = (name: string) => reads((fault, sent) => (name in sent ? { ...fault, [name]: sent[name] } : fault));
const asMoves = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);

/** One for each way to misunderstand the text. */
export const WRONG_IMPLEMENTATIONS: readonly WrongImplementation[] = [
  {
    breaks: "F2",
    about: "reads a fault only after negotiation",
    answer: hears("decode", (request) => withSent(request, () => undefined)),
  },
  {
    breaks: "F3",
    about: "drops kinds that it does not know",
    answer: reads((fault) => (fault["kind"] === "paused" ? { ...fault, kind: "unknown", class: "terminal" } : fault)),
  },
  { breaks: "F4", about: "believes the class", answer: keepsSent("class") },
  { breaks: "F5", about: "keeps retry beside an effect", answer: keepsSent("recourse") },
  {
    breaks: "F6",
    about: "does not look into structuredContent",
    answer: reads((fault, sent, { wire }) =>
      isObject(wire) && JSON.stringify(wire).includes('"structuredContent"') && !("kind" in sent)
        ? { ...fault, reason: "tool/failed" }
        : fault,
    ),
  },
  {
    breaks: "F7",
    about: "does not look into the data of errors",
    answer: reads((fault, sent, { wire }) =>
      isObject(wire) && "error" in wire && "kind" in sent ? { ...fault, basis: "mapped" } : fault,
    ),
  },
  {
    breaks: "F8",
    about: "reads every version",
    answer: hears("decode", (request) => withSent(request, (fault) => ({ ...fault, v: 1 }))),
  },
  {
    breaks: "F8",
    about: "reads a newer kind without a class",
    answer: hears("decode", (request) =>
      withSent(request, (fault) => ({
        ...fault,
        class: ["validation", "permission", "retryable", "dependency", "terminal"].includes(String(fault["class"]))
          ? fault["class"]
          : "terminal",
      })),
    ),
  },
  {
    breaks: "F10",
    about: "does not cut messages",
    answer: reads((fault, sent) =>
      String(sent["message"]).length > 240 && isObject(fault["quote"])
        ? { ...fault, quote: { ...fault["quote"], text: sent["message"] } }
        : fault,
    ),
  },
  { breaks: "F10", about: "keeps every param", answer: keepsSent("params") },
  { breaks: "F10", about: "keeps every issue", answer: keepsSent("issues") },
  { breaks: "F10", about: "keeps every limit", answer: keepsSent("limits") },
  {
    breaks: "F10",
    about: "keeps members that it does not know",
    answer: reads((fault, sent) => ({ ...sent, ...fault })),
  },
  {
    breaks: "F11",
    about: "reads an unknown effect as none",
    answer: hears("decode", (request) =>
      withSent(request, (fault) =>
        "effect" in fault && !["none", "possible", "applied"].includes(String(fault["effect"]))
          ? { ...fault, effect: "none" }
          : fault,
      ),
    ),
  },
  {
    breaks: "F11",
    about: "takes a newer kind for harmless",
    answer: hears("decode", (request) =>
      withSent(request, (fault) => ("effect" in fault ? fault : { ...fault, effect: "none" })),
    ),
  },
  {
    breaks: "F12",
    about: "believes any basis",
    answer: reads((fault, sent) => ("basis" in sent ? { ...fault, basis: "stated" } : fault)),
  },
  {
    breaks: "F13",
    about: "does not derive moves",
    answer: reads((fault, sent) =>
      asMoves(sent["recourse"]).some((move) => move["do"] === "panic")
        ? { ...fault, recourse: [{ do: "stop" }] }
        : fault,
    ),
  },
  {
    breaks: "F13",
    about: "loses the wait of a removed retry",
    answer: reads((fault) => ({
      ...fault,
      recourse: asMoves(fault["recourse"]).map((move) => (move["do"] === "refresh" ? without(move, "afterMs") : move)),
    })),
  },
  {
    breaks: "F14",
    about: "keeps addresses with userinfo",
    answer: reads((fault, sent) =>
      JSON.stringify(sent["recourse"] ?? "").includes("@") ? { ...fault, recourse: sent["recourse"] } : fault,
    ),
  },
  {
    breaks: "F14",
    about: "cuts names",
    answer: reads((fault, sent) =>
      JSON.stringify(sent["recourse"] ?? "").includes("yyyy")
        ? { ...fault, recourse: asMoves(fault["recourse"]).map((move) => ({ ...move, tool: "y".repeat(64) })) }
        : fault,
    ),
  },
  { breaks: "F15", about: "keeps any request id", answer: keepsSent("requestId") },
  { breaks: "F15", about: "keeps any incident id", answer: keepsSent("incident") },
  { breaks: "F16", about: "says the words of a peer as its own", answer: keepsSent("message") },
  {
    breaks: "F16",
    about: "composes a known reason of another kind",
    answer: hears("decode", (request) =>
      withSent(request, (fault) => (fault["reason"] === "tool/not_found" ? { ...fault, kind: "not_found" } : fault)),
    ),
  },
  { breaks: "F17", about: "keeps the attempts of the sender", answer: keepsSent("tried") },
  {
    breaks: "F17",
    about: "lets a sender speak for the transport",
    answer: reads((fault, sent) =>
      isObject(sent["origin"]) && sent["origin"]["layer"] === "transport"
        ? { ...fault, origin: sent["origin"] }
        : fault,
    ),
  },
  { breaks: "F18", about: "drops causes", answer: reads((fault) => without(fault, "cause")) },
  { breaks: "F18", about: "keeps every cause", answer: keepsSent("cause") },
  {
    breaks: "F19",
    about: "takes a sentence for a bug",
    answer: reads((fault) => (fault["reason"] === "tool/failed" ? { ...fault, kind: "internal" } : fault)),
  },
  {
    breaks: "F20",
    about: "gives meaning to private codes",
    answer: reads((fault) =>
      fault["reason"] === "core/unrecognised" ? { ...fault, kind: "internal", reason: "core/internal" } : fault,
    ),
  },
  {
    breaks: "F20",
    about: "does not know a missing resource by its data",
    answer: reads((fault) =>
      fault["reason"] === "resource/not_found" ? { ...fault, reason: "protocol/invalid_params" } : fault,
    ),
  },
  {
    breaks: "F21",
    about: "answers wrong arguments with an error",
    answer: writes((wire, { fault }) =>
      isObject(fault) && fault["kind"] === "invalid_input" && "result" in wire
        ? { error: { code: -32602, message: "", data: {} } }
        : wire,
    ),
  },
  {
    breaks: "F22",
    about: "writes only the message",
    answer: writes((wire, { fault }) =>
      isObject(wire["result"]) && isObject(fault)
        ? { result: { ...wire["result"], content: [{ type: "text", text: fault["message"] }] } }
        : wire,
    ),
  },
  {
    breaks: "F23",
    about: "writes the fault twice",
    answer: writes((wire, { fault }) =>
      isObject(wire["result"]) ? { result: { ...wire["result"], structuredContent: { fault } } } : wire,
    ),
  },
  {
    breaks: "F23",
    about: "writes the moves that readers derive",
    answer: writes((wire, { fault }) => {
      const moves = isObject(fault) ? { recourse: fault["recourse"] } : {};
      return withSent({ do: "encode", wire }, (sent) => ({ ...sent, ...moves })).wire as JsonObject;
    }),
  },
  {
    breaks: "F23",
    about: "never writes moves",
    answer: writes((wire) =>
      JSON.parse(JSON.stringify(wire), (name, value: unknown) => (name === "recourse" ? undefined : value)),
    ),
  },
  {
    breaks: "F24",
    about: "writes resultType in every revision",
    answer: writes((wire) =>
      isObject(wire["result"]) ? { result: { ...wire["result"], resultType: "complete" } } : wire,
    ),
  },
  {
    breaks: "F25",
    about: "uses codes of newer revisions",
    answer: hears("encode", (request) => ({ ...request, context: { ...request.context, revision: "2026-07-28" } })),
  },
  {
    breaks: "F26",
    about: "adds the fault to a missing resource",
    answer: writes((wire, { fault }) =>
      isObject(wire["error"]) && isObject(wire["error"]["data"]) && "uri" in wire["error"]["data"]
        ? { ...wire, error: { ...wire["error"], data: { ...wire["error"]["data"], [FAULT]: fault } } }
        : wire,
    ),
  },
  { breaks: "F27", about: "knows no HTTP statuses", answer: writes((wire) => without(wire, "status")) },
  {
    breaks: "F37",
    about: "writes as much as it has",
    answer: says((text, { fault }) =>
      isObject(fault) && isObject(fault["quote"]) ? `${text} ${String(fault["quote"]["text"])}` : text,
    ),
  },
  {
    breaks: "F38",
    about: "has words of its own",
    answer: says((text) => text.replace("Check the current state", "Please check the state")),
  },
  {
    breaks: "F39",
    about: "lets a quotation close itself",
    answer: says((text, { fault }) =>
      isObject(fault) && isObject(fault["quote"]) && String(fault["quote"]["text"]).includes("”")
        ? text.replaceAll("’", "”")
        : text,
    ),
  },
  {
    breaks: "F40",
    about: "presents names of a peer as its own",
    answer: hears("render", (request) => ({ ...request, context: { from: "own" } })),
  },
  {
    breaks: "F41",
    about: "invites to start over",
    answer: hears("render", (request) => ({
      ...request,
      fault: isObject(request.fault) ? without(request.fault, "tried") : request.fault,
    })),
  },
  {
    breaks: "F42",
    about: "does not hear a no",
    answer: decides((situation, fault) => ({
      ...situation,
      fault: isObject(fault["retry"]) && fault["retry"]["allowed"] === false ? without(fault, "retry") : fault,
    })),
  },
  {
    breaks: "F43",
    about: "repeats guesses",
    answer: decides((situation, fault) => ({ ...situation, fault: { ...fault, basis: "stated" } })),
  },
  {
    breaks: "F43",
    about: "repeats final kinds",
    answer: decides((situation, fault) => ({
      ...situation,
      fault: "retry" in fault ? fault : { ...fault, retry: { allowed: true } },
    })),
  },
  {
    breaks: "F44",
    about: "repeats what may have taken effect",
    answer: decides((situation) => ({ ...situation, repeatable: true })),
  },
  { breaks: "F45", about: "ignores the deadline", answer: decides((situation) => ({ ...situation, leftMs: null })) },
  {
    breaks: "F45",
    about: "starts attempts that have no time",
    answer: decides((situation) => ({ ...situation, policy: { minAttemptMs: 0 } })),
  },
  {
    breaks: "F46",
    about: "tries without end",
    answer: decides((situation) => ({ ...situation, policy: { attempts: 10 } })),
  },
  {
    breaks: "F46",
    about: "counts the first call among the further ones",
    answer: decides((situation, fault) => ({
      ...situation,
      fault:
        isObject(fault["retry"]) && typeof fault["retry"]["maxAttempts"] === "number"
          ? { ...fault, retry: { ...fault["retry"], maxAttempts: Math.max(0, fault["retry"]["maxAttempts"] - 1) } }
          : fault,
    })),
  },
  {
    breaks: "F47",
    about: "takes waits for seconds",
    answer: after("decide", (given) => ({
      decision: {
        ...(given["decision"] as JsonObject),
        waitMs: Number((given["decision"] as JsonObject)["waitMs"]) / 1_000,
      },
    })),
  },
  { breaks: "F47", about: "shortens stated waits", answer: decides((situation) => ({ ...situation, random: 0 })) },
];
