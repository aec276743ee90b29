import { describe, expect, it } from "vitest";
import { aCall, childScene } from "../../support/child-scene.ts";

describe("a child with a parent that answers", () => {
  it("lets a call run that a person at the parent approved", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.accept(ask);
    scene.parent.decide(ask);
    expect(await outcome).toMatchObject({
      outcome: "allowed",
      requests: [
        {
          requestId: ask.ask.id,
          surface: "bash",
          value: "make deploy",
          outcome: "allowed",
          resolution: "user_approved",
          state: "approved",
          decidedBy: {
            kind: "forwarded",
            responderSessionId: "parent-1",
            decision: { kind: "user", via: "dialog" },
          },
        },
      ],
    });
  });
});
