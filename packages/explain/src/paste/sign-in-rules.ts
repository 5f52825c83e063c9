import { auth } from "@recourse/core/reasons";
// How clients, servers and sign-in services say that a sign-in failed.

import { type CauseWords, firstGroup, type Groups, type PasteRule } from "./rule.ts";

function waitingSignIn(groups: Groups): CauseWords {
  const port = firstGroup(groups);
  return {
    title: "The sign-in waits for another instance",
    because:
      "A program such as `mcp-remote` runs more than once, and one of them has opened the sign-in in a browser. The others wait for it.",
    fix: "Finish the sign-in in the browser; if no page is open, end the other instance and reload the server in your host.",
    ...(port !== undefined && { code: `lsof -i :${port}   # Windows: netstat -ano | findstr :${port}` }),
  };
}

export const SIGN_IN_RULES = {
  "redirect-address": {
    pattern:
      /\binvalid_redirect_ur[il]\b|\bredirect_ur[il]_mismatch\b|\bredirect[ _-]?ur[il]s?\b[^\n]{0,80}(?:mismatch|match|invalid|not (?:valid|allowed|registered|permitted|supported))|(?:invalid|mismatch\w{0,4}|unregistered|unsupported|disallowed|unknown)[^\n]{0,30}\bredirect[ _-]?ur[il]/i,
    cause: "D69",
    reason: auth.unauthorized,
    inTool: auth.unauthorized,
    say: () => ({
      title: "The sign-in service does not accept the callback address of the client",
      because:
        "After the sign-in the browser goes back to an address of your client (`redirect_uri`), and the service allows only addresses that it knows.",
      fix: "Register the callback address of your client at the sign-in service; if it cannot be registered, use a client that it supports, or a token.",
    }),
  },
  "client-registration": {
    pattern:
      /dynamic client registration|\bclient registration\b[^\n]{0,60}(?:fail|refus|not (?:supported|allowed)|error|denied|forbidden)|(?:register|registration)[^\n]{0,60}\bclient\b[^\n]{0,40}(?:failed|refused|not supported)|registration_endpoint|does not support (?:DCR|client registration)|invalid_client_metadata|Registration failed/i,
    cause: "D59",
    say: () => ({
      title: "The sign-in service does not let this client register itself",
      because: "The client has no client id of its own, and the sign-in service gives none to unknown programs.",
    }),
  },
  "sign-in-metadata": {
    pattern:
      /Invalid OAuth error response|well-known[^\n]{0,80}(?:oauth|openid)|oauth[^\n]{0,40}metadata|(?:authorization|auth|protected[- ]resource)[- ](?:server )?(?:server |resource )?metadata|resource metadata|metadata[^\n]{0,30}(?:oauth|authorization server)|Protected resource [^\n]{1,200} does not match/i,
    cause: "D59",
    actor: "operator",
    say: () => ({
      title: "The sign-in metadata cannot be read",
      because:
        "The client wants to sign in, and the server has no metadata that says where, or something in front of it refuses that address.",
      fix: "Serve `/.well-known/oauth-protected-resource` and the metadata of the sign-in service without credentials, or give the client a token.",
      code: "curl -i https://<server>/.well-known/oauth-protected-resource",
    }),
  },
  "token-refused": {
    pattern:
      /\binvalid_token\b|\b(?:access |bearer |api )?token (?:has |is |was )?(?:expired|invalid|revoked)|\b(?:requires?|needs?) (?:re-?)?auth(?:entication|orization)\b|\bauthentication required\b|\bnot authenticated\b|\binvalid (?:api[ -]?key|access token|bearer token)\b|\bNeeds login\b|\bauth(?:entication)? (?:has )?(?:failed|expired)\b/i,
    unless: /refresh token|\binvalid_(?:grant|client)\b/i,
    cause: "D32",
    reason: auth.unauthorized,
    inTool: auth.unauthorized,
    say: () => ({
      fix: "Sign in to the server in your host, or give a valid token in its `Authorization` header.",
    }),
  },
  "sign-in-waits": {
    pattern:
      /\banother instance is handling auth(?:entication|orization)\b(?:[^\n\d]{0,20}\bport (\d{2,5})\b)?|\bwaiting for auth(?:entication|orization) (?:from|by|in|on)\b(?:[^\n\d]{0,30}\bport (\d{2,5})\b)?/i,
    cause: "D69",
    reason: auth.unauthorized,
    say: waitingSignIn,
  },
  // Tools have arguments of this name too: it does not count in the text of a tool, or beside the code or the values of arguments.
  "sign-in-state": {
    pattern:
      /\b(?:invalid|missing|mismatched|expired) (?:oauth )?state (?:parameter|param)\b|\b(?:oauth state|state param(?:eter)?) (?:(?:is|was) )?(?:invalid|missing|expired|mismatch|does not match)\b/i,
    unless: /-32602|\b(?:must be|should be|one of|expected|allowed values?)\b/i,
    cause: "D69",
    reason: auth.unauthorized,
    say: () => ({
      because:
        "The answer of the sign-in service does not belong to the sign-in that your client began: it took too long, was begun twice, or the client was restarted.",
      fix: "Close the page and begin the sign-in again from your host, once and in the same browser.",
    }),
  },
  "sign-in-failed": {
    pattern:
      /\b(?:invalid_grant|invalid_client|unauthorized_client|invalid_target|access_denied)\b|code_verifier|\bPKCE\b|OAuth (?:state|callback)[^\n]{0,60}|(?:OAuth|authorization|sign-in|login) flow[^\n]{0,40}(?:failed|timed out|cancel)|OAuth (?:error|failed)|refresh token[^\n]{0,40}(?:expired|invalid|revoked)|AADSTS\d{4,6}/i,
    cause: "D69",
    reason: auth.unauthorized,
    inTool: auth.unauthorized,
  },
} as const satisfies Record<string, PasteRule>;
