import { describe, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import type {
  AnsweredLine,
  AnswerLine,
  CallLine,
  CancelLine,
  CheckLine,
  ConclusionLine,
  DeadLetterLine,
  ErrorLine,
  EventLine,
  ExplainedLine,
  GapLine,
  GrantLine,
  KeepingLine,
  OutcomeLine,
  PromptLine,
  ReadyLine,
  RecordLine,
  RevokedLine,
  ShowLine,
  StoreFaultLine,
  StoriesLine,
  StoryLine,
  UpLine,
  VerifiedLine,
  WithdrawnLine,
} from "../../src/cli/lines.ts";
import type { GoneLine, PendingLine, ShownLine } from "../../src/cli/operator/lines.ts";

type Schemas = typeof LINE_SCHEMAS;
type Said<Name extends keyof Schemas> = Flat<z.infer<Schemas[Name]>>;

/** One object type for each member, so that an intersection equals the object it makes. */
type Flat<T> = T extends unknown ? { [Key in keyof T]: T[Key] } : never;

describe("the schema of a line", () => {
  it("says the same as its type, both ways", () => {
    expectTypeOf<Said<"call">>().toEqualTypeOf<Flat<CallLine>>();
    expectTypeOf<Said<"cancel">>().toEqualTypeOf<Flat<CancelLine>>();
    expectTypeOf<Said<"outcome">>().toEqualTypeOf<Flat<OutcomeLine>>();
    expectTypeOf<Said<"error">>().toEqualTypeOf<Flat<ErrorLine>>();
    expectTypeOf<Said<"ready">>().toEqualTypeOf<Flat<ReadyLine>>();
    expectTypeOf<Said<"up">>().toEqualTypeOf<Flat<UpLine>>();
    expectTypeOf<Said<"keeping">>().toEqualTypeOf<Flat<KeepingLine>>();
    expectTypeOf<Said<"record">>().toEqualTypeOf<Flat<RecordLine>>();
    expectTypeOf<Said<"story">>().toEqualTypeOf<Flat<StoryLine>>();
    expectTypeOf<Said<"verified">>().toEqualTypeOf<Flat<VerifiedLine>>();
    expectTypeOf<Said<"gap">>().toEqualTypeOf<Flat<GapLine>>();
    expectTypeOf<Said<"dead-letter">>().toEqualTypeOf<Flat<DeadLetterLine>>();
    expectTypeOf<Said<"explained">>().toEqualTypeOf<Flat<ExplainedLine>>();
    expectTypeOf<Said<"conclusion">>().toEqualTypeOf<Flat<ConclusionLine>>();
    expectTypeOf<Said<"grant">>().toEqualTypeOf<Flat<GrantLine>>();
    expectTypeOf<Said<"revoked">>().toEqualTypeOf<Flat<RevokedLine>>();
    expectTypeOf<Said<"event">>().toEqualTypeOf<Flat<EventLine>>();
    expectTypeOf<Said<"prompt">>().toEqualTypeOf<Flat<PromptLine>>();
    expectTypeOf<Said<"withdrawn">>().toEqualTypeOf<Flat<WithdrawnLine>>();
    expectTypeOf<Said<"answered">>().toEqualTypeOf<Flat<AnsweredLine>>();
    expectTypeOf<Said<"answer">>().toEqualTypeOf<Flat<AnswerLine>>();
    expectTypeOf<Said<"show">>().toEqualTypeOf<Flat<ShowLine>>();
    expectTypeOf<Said<"stories">>().toEqualTypeOf<Flat<StoriesLine>>();
    expectTypeOf<Said<"store-fault">>().toEqualTypeOf<Flat<StoreFaultLine>>();
    expectTypeOf<Said<"pending">>().toEqualTypeOf<Flat<PendingLine>>();
    expectTypeOf<Said<"gone">>().toEqualTypeOf<Flat<GoneLine>>();
    expectTypeOf<Said<"shown">>().toEqualTypeOf<Flat<ShownLine>>();
    expectTypeOf<Said<"check">>().toEqualTypeOf<Flat<CheckLine>>();
    expectTypeOf<keyof Schemas>().toEqualTypeOf<
      | "keeping"
      | "record"
      | "story"
      | "stories"
      | "store-fault"
      | "verified"
      | "gap"
      | "dead-letter"
      | "event"
      | "grant"
      | "revoked"
      | "explained"
      | "conclusion"
      | "call"
      | "cancel"
      | "outcome"
      | "error"
      | "ready"
      | "up"
      | "prompt"
      | "withdrawn"
      | "answered"
      | "answer"
      | "show"
      | "check"
      | "pending"
      | "gone"
      | "shown"
    >();
  });
});
