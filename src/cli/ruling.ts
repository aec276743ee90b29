import type { AnswerWay, DecisionState } from "../ask/decision.ts";
import { type GrantPattern, type GrantWidth, hasDirections } from "../ask/grant.ts";
import type { GrantScope, TerminalAnswer } from "../ask/ports.ts";
import type { Answer } from "./lines.ts";

/** A person's answer to one ask. */
export interface PersonsAnswer {
  readonly answer: Answer;
  readonly reason?: string;
  readonly via: AnswerWay;
  /** How far a grant over paths reaches. @defaultValue "proven" */
  readonly width?: GrantWidth;
  /** The grants the ask suggested; empty when it suggested none. */
  readonly grants: readonly GrantPattern[];
}

/** How far each answer reaches. */
export const SCOPES: Readonly<Record<Answer, GrantScope>> = {
  allow: "once",
  allow_for_session: "child_session",
  allow_for_serving_session: "serving_session",
  deny: "once",
};

const DIRECTED = /^(path|external_directory)_(?:read|write)$/;

/** What grants allow when they reach both directions of their paths; each once. */
export function bothDirections(grants: readonly GrantPattern[]): readonly GrantPattern[] {
  const wide = grants.flatMap(({ surface, pattern }) => {
    const family = DIRECTED.exec(surface)?.[1];
    if (family === undefined) return [{ surface, pattern }];
    return [`${family}_read`, `${family}_write`].map((one) => ({ surface: one, pattern }));
  });
  return wide.filter(
    (one, i) => wide.findIndex((o) => o.surface === one.surface && o.pattern === one.pattern) === i,
  );
}

/** Turns a person's answer into the ruling it stands for. */
export function rulingOf(said: PersonsAnswer): TerminalAnswer & { readonly kind: "ruled" } {
  const scope = SCOPES[said.answer];
  const denialReason = said.answer === "deny" && said.reason ? said.reason : undefined;
  const width = hasDirections(said.grants) ? (said.width ?? "proven") : undefined;
  return {
    kind: "ruled",
    scope,
    ruling: {
      approved: said.answer !== "deny",
      state: stateOf(said.answer, denialReason),
      ...(denialReason === undefined ? {} : { denialReason }),
      decidedBy: { kind: "user", via: said.via },
      ...(scope !== "once" && width !== undefined ? { sessionGrantWidth: width } : {}),
    },
  };
}

function stateOf(answer: Answer, denialReason: string | undefined): DecisionState {
  switch (answer) {
    case "allow":
    case "allow_for_serving_session":
      return "approved";
    case "allow_for_session":
      return "approved_for_session";
    case "deny":
      return denialReason === undefined ? "denied" : "denied_with_reason";
  }
}
