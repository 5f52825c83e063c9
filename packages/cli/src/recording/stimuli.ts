/** What a probe sends, by group. Checks name the groups that they look at. */
export const STIMULI = {
  handshake: "The request that opens a conversation: initialize or server/discover.",
  list: "Lists of tools, resources, templates and prompts, page by page. Variant: the method.",
  "unknown-tool": "A call of a tool that does not exist, twice. Variants: first, second.",
  "prototype-name": "Calls of tools named like members of every object. Variant: the name.",
  "misspelt-tool": "A call of a real tool with its last letter changed.",
  "long-tool-name": "A call of a tool whose name has 4,000 letters.",
  "hostile-tool-name": "A call of a tool whose name has a newline, an escape, a direction mark and an instruction.",
  "wrong-arguments":
    "Wrong arguments to tools that only read. Variants: type, type-again, missing, enum, range, extra-key, bait.",
  "valid-call": "Valid arguments, about things that do not exist, to tools that only read.",
  "malformed-params":
    "Parameters that break the protocol. Variants: no-name, name-5, arguments-text, arguments-list, arguments-null (all of an unknown tool), cursor-12, no-uri, not-a-uri, prompt-argument-5 (of an unknown prompt), and in the older era level, initialize-5.",
  "unknown-resource": "A resource that does not exist. Variants: own-scheme, foreign-scheme, template.",
  "unknown-prompt": "A prompt that does not exist.",
  "prompt-argument": "A known prompt without its argument. Sent with --allow-prompts only. Variant: the prompt.",
  "unknown-completion": "A completion for a prompt that does not exist.",
  "unknown-method": "The method recourse/probe.",
  "malformed-message":
    "Messages that are no JSON-RPC. Variants without a readable id: cut, text; with one: utf8 (a call of an unknown tool whose name has the byte 0xff), no-jsonrpc, list-params.",
  "deep-json": "20,000 nested lists in an argument of an unknown tool.",
  "long-message":
    "A line of 11 MiB or a body of 6 MB. Variants: itself, next (a list of tools over the same connection, if the program lived and the answer was read).",
  concurrent: "Calls of unknown tools, 40 at once, 8 elsewhere. Variant: the number of the request.",
  "odd-id": "Ids that are legal and unusual. Variants: string, zero, large.",
  "unknown-version":
    "A protocol version that never existed. Variants: body (initialize, or server/discover with a header that agrees; over stdio the first message of a process), header (older era over HTTP).",
  notification: "Notifications that nobody knows. Variants: unknown, cancelled.",
  "http-edge":
    "Odd HTTP requests. Variants: put, text-plain, foreign-origin, foreign-host, unknown-session (if the server has sessions), empty-body.",
  credentials:
    "Requests with other credentials. Variants: none, and if that is refused wrong, alg-none, basic, empty, metadata (the document that the challenge names).",
  "close-stdin": "The end of input, after real calls.",
} as const satisfies Record<string, string>;

/** The name of a group. */
export type StimulusName = keyof typeof STIMULI;
