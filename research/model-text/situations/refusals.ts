import { fail } from "@recourse/core";
import { auth, core } from "@recourse/core/reasons";
import { throwing } from "../shop.ts";
import { group } from "../situation.ts";

export const REFUSALS = group("refusals", [
  { id: "unauthorized", what: "credentials are missing", run: () => throwing(auth.unauthorized()) },
  { id: "token-expired", what: "the token has expired", run: () => throwing(auth.token_expired({})) },
  {
    id: "scope",
    what: "the token lacks a scope",
    run: () => throwing(auth.insufficient_scope({ scopes: ["orders:write"] })),
  },
  { id: "role", what: "a role is missing", run: () => throwing(auth.not_authorized({ requiredRole: "accountant" })) },
  {
    id: "forbidden",
    what: "the author forbids it",
    run: () => throwing(fail.forbidden`Refunds above 500 EUR are not allowed.`),
  },
  {
    id: "approval",
    what: "a person has to approve the call by opening a link",
    run: () => {
      const recourse = [{ do: "ask_user", link: "https://shop.example.com/approve/7" }] as const;
      return throwing(auth.approval_required({}, { recourse }));
    },
  },
  { id: "approval-plain", what: "a person has to approve the call", run: () => throwing(auth.approval_required()) },
  { id: "approval-denied", what: "a person refused the approval", run: () => throwing(auth.approval_denied()) },
  { id: "quota", what: "the monthly quota is used up", run: () => throwing(core.quota_exhausted()) },
]);
