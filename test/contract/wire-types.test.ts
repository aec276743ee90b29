import { describe, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { Ask } from "../../src/ask/ask.ts";
import type {
  ControlAnswer,
  OpenAskHead,
  ShownAsk,
  WantsAnswer,
  WantsGrants,
  WantsList,
  WantsRevoke,
  WantsShown,
} from "../../src/ask/control.ts";
import type { DecisionSource } from "../../src/ask/decision.ts";
import type {
  AccessPath,
  AccessUnit,
  AskOrigin,
  ForwardedAccessFacts,
  ForwardedAccessIntent,
} from "../../src/ask/facts.ts";
import type { GrantSuggestion } from "../../src/ask/grant.ts";
import type {
  Accepted,
  Cancel,
  Decision,
  Presence,
  Progress,
  Receipt,
  Refused,
  Withdrawn,
} from "../../src/ask/messages.ts";
import type { PromptPayload, PromptRequestFacts } from "../../src/ask/payload.ts";
import type { ParentMessage } from "../../src/bus/lines.ts";
import type { ask, grantSuggestion } from "../../src/wire/ask.ts";
import type {
  CONTROL_ANSWERS,
  CONTROL_WANTS,
  openAskHead,
  shownAsk,
} from "../../src/wire/control-schemas.ts";
import type { DecMessage } from "../../src/wire/dec.ts";
import type { decisionSource } from "../../src/wire/decider.ts";
import type { decision } from "../../src/wire/decision.ts";
import type {
  accessFacts,
  accessIntent,
  accessPath,
  accessUnit,
  askOrigin,
} from "../../src/wire/facts.ts";
import type {
  accepted,
  cancel,
  presence,
  progress,
  receipt,
  refused,
  withdrawn,
} from "../../src/wire/messages.ts";
import type { promptPayload, promptRequestFacts } from "../../src/wire/payload.ts";

type Read<S extends z.ZodType> = Readonly<z.infer<S>>;
type Flat<T> = { [K in keyof T]: T[K] };

describe("schemas and the types written by hand", () => {
  it("say the same of an ask and its parts", () => {
    expectTypeOf<Read<typeof ask>>().toEqualTypeOf<Ask>();
    expectTypeOf<Read<typeof grantSuggestion>>().toEqualTypeOf<GrantSuggestion>();
    expectTypeOf<Read<typeof promptPayload>>().toEqualTypeOf<PromptPayload>();
    expectTypeOf<Read<typeof promptRequestFacts>>().toEqualTypeOf<PromptRequestFacts>();
    expectTypeOf<Read<typeof accessUnit>>().toEqualTypeOf<AccessUnit>();
    expectTypeOf<Read<typeof accessPath>>().toEqualTypeOf<AccessPath>();
    expectTypeOf<Read<typeof accessFacts>>().toEqualTypeOf<ForwardedAccessFacts>();
    expectTypeOf<Read<typeof accessIntent>>().toEqualTypeOf<Flat<ForwardedAccessIntent>>();
    expectTypeOf<Read<typeof askOrigin>>().toEqualTypeOf<AskOrigin>();
  });

  it("say the same of every other message", () => {
    expectTypeOf<Read<typeof accepted>>().toEqualTypeOf<Accepted>();
    expectTypeOf<Read<typeof progress>>().toEqualTypeOf<Flat<Progress>>();
    expectTypeOf<Read<typeof decision>>().toEqualTypeOf<Flat<Decision>>();
    expectTypeOf<Read<typeof refused>>().toEqualTypeOf<Refused>();
    expectTypeOf<Read<typeof withdrawn>>().toEqualTypeOf<Withdrawn>();
    expectTypeOf<Read<typeof receipt>>().toEqualTypeOf<Receipt>();
    expectTypeOf<Read<typeof cancel>>().toEqualTypeOf<Cancel>();
    expectTypeOf<Read<typeof presence>>().toEqualTypeOf<Presence>();
    expectTypeOf<DecMessage>().toEqualTypeOf<ParentMessage>();
  });

  it("say the same of what operators want and are answered", () => {
    expectTypeOf<Read<typeof CONTROL_WANTS.list>>().toEqualTypeOf<WantsList>();
    expectTypeOf<Read<typeof CONTROL_WANTS.show>>().toEqualTypeOf<WantsShown>();
    expectTypeOf<Read<typeof CONTROL_WANTS.answer>>().toEqualTypeOf<WantsAnswer>();
    expectTypeOf<Read<typeof CONTROL_WANTS.grants>>().toEqualTypeOf<WantsGrants>();
    expectTypeOf<Read<typeof CONTROL_WANTS.revoke>>().toEqualTypeOf<WantsRevoke>();
    expectTypeOf<Read<typeof openAskHead>>().toEqualTypeOf<Flat<OpenAskHead>>();
    expectTypeOf<Read<typeof shownAsk>>().toEqualTypeOf<Flat<ShownAsk>>();
    type Given<Op extends keyof typeof CONTROL_ANSWERS> = Read<(typeof CONTROL_ANSWERS)[Op]>;
    type Answer<Op> = Flat<Omit<Extract<ControlAnswer, { op: Op }>, "op">>;
    expectTypeOf<Flat<Given<"list">>>().toEqualTypeOf<Answer<"list">>();
    expectTypeOf<Flat<Given<"show">>>().toEqualTypeOf<Answer<"show">>();
    expectTypeOf<Flat<Given<"answer">>>().toEqualTypeOf<Answer<"answer">>();
    expectTypeOf<Flat<Given<"grants">>>().toEqualTypeOf<Answer<"grants">>();
    expectTypeOf<Flat<Given<"revoke">>>().toEqualTypeOf<Answer<"revoke">>();
    expectTypeOf<Flat<Given<"refused">>>().toEqualTypeOf<Answer<"refused">>();
  });

  it("say the same of who decided", () => {
    expectTypeOf<z.infer<typeof decisionSource>>().toEqualTypeOf<DecisionSource>();
  });
});
