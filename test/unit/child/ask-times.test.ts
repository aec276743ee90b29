import { describe, expect, it } from "vitest";
import { nextTimer, step } from "../../../src/child/ask-machine.ts";
import { CUT_GRACE_MS, createdAsk } from "../../../src/child/ask-status.ts";
import {
  acceptedBy,
  decisionOf,
  dropped,
  dueAt,
  GRACE,
  journalled,
  LIFE,
  line,
  PATHS,
  progressBy,
  run,
  sent,
  timer,
  unserved,
} from "../../support/ask-steps.ts";

describe("the repeats of an ask", () => {
  it("follow after 250 ms, doubling to 2 s", () => {
    let { status } = run([0, journalled], [0, sent]);
    const pauses: number[] = [];
    for (let now = 0; pauses.length < 6; ) {
      const due = dueAt(status);
      expect(line(step(status, timer, { now: due - 1, roll: 0 }))).toBe("sent");
      expect(line(step(status, timer, { now: due, roll: 0 }))).toBe("sent | publish");
      pauses.push(due - now);
      status = step(status, sent, { now: due, roll: 0 }).status;
      now = due;
    }
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000]);
  });

  it.each([
    [0, 15_000],
    [0.5, 22_500],
    [1, 30_000],
  ])("wait 15 to 30 s once the ask is accepted (roll %d)", (roll, pause) => {
    const { status } = run([0, journalled], [0, sent]);
    const taken = step(status, acceptedBy("3.p"), { now: 10, roll });
    expect(nextTimer(taken.status)).toBe(10 + pause);
    const repeated = step(taken.status, sent, { now: 10 + pause, roll });
    expect(nextTimer(repeated.status)).toBe(10 + 2 * pause);
  });

  it("come every second while 503 answers an accepted ask, and slow down when it stops", () => {
    const gone = run(...PATHS.accepted, [15_001, timer], [15_001, sent], [15_002, unserved]);
    expect(line(gone)).toBe("accepted");
    expect(nextTimer(gone.status)).toBe(16_002);
    const again = step(gone.status, sent, { now: 16_002, roll: 0 });
    expect(nextTimer(again.status)).toBe(17_002);
    const back = step(again.status, sent, { now: 17_002, roll: 0 });
    expect(nextTimer(back.status)).toBe(32_002);
    const taken = step(again.status, acceptedBy("3.p"), { now: 16_100, roll: 0 });
    expect(nextTimer(taken.status)).toBe(31_100);
  });

  it.each([
    ["sent", "sent | publish"],
    ["accepted", "accepted | publish"],
  ] as const)("come at once when a cut of an ask in state %s is over", (state, expected) => {
    const cut = run(
      ...PATHS[state],
      [20, { kind: "disconnected" }],
      [500, { kind: "reconnected" }],
    );
    expect(line(cut)).toBe(expected);
  });

  it("begin again at 250 ms after a reconnect", () => {
    const { status } = run(
      ...PATHS.sent,
      [250, sent],
      [750, sent],
      [800, { kind: "disconnected" }],
      [900, { kind: "reconnected" }],
      [900, sent],
    );
    expect(nextTimer(status)).toBe(1_150);
  });

  it("rest while there is no connection", () => {
    const { status } = run(...PATHS.accepted, [20, { kind: "disconnected" }]);
    expect(nextTimer(status)).toBe(LIFE);
    expect(line(step(status, timer, { now: 20_000, roll: 0 }))).toBe("accepted");
    expect(line(step(status, { kind: "parent_returned" }, { now: 20_000, roll: 0 }))).toBe(
      "accepted",
    );
  });
});

describe("an ask that nobody serves", () => {
  it("is lost as not_serving by the first 503 at the end of the grace, and leaves no cancel", () => {
    let answered = run([0, journalled], [0, sent], [1, unserved]);
    const times: number[] = [];
    while (answered.status.state !== "lost") {
      const now = dueAt(answered.status);
      times.push(now);
      const { status } = step(answered.status, sent, { now, roll: 0 });
      answered = step(status, unserved, { now: now + 1, roll: 0 });
    }
    expect(line(answered)).toBe("lost | not_serving");
    expect(times).toEqual([250, 750, 1_750, 2_001]);
  });

  it("waits on when a publish in between is not answered by 503", () => {
    const { status } = run(
      ...PATHS.sent,
      [1, unserved],
      [250, sent],
      [251, unserved],
      [750, sent],
      [1_750, sent],
      [1_751, unserved],
      [2_001, sent],
      [2_002, unserved],
    );
    expect(status.state).toBe("sent");
    expect(status.unservedSince).toBe(1_751);
  });

  it("is cancelled at the parent when one publish may have arrived", () => {
    const gone = run(...PATHS.sent, [250, sent], [251, unserved], [2_251, sent], [2_252, unserved]);
    expect(line(gone)).toBe("lost | not_serving, cancel timed_out");
  });

  it("is not lost by 503 once it was accepted", () => {
    const { status } = run(
      ...PATHS.accepted,
      [20_000, unserved],
      [21_000, sent],
      [500_000, unserved],
    );
    expect(status.state).toBe("accepted");
  });

  it("is lost at once when no grace is given", () => {
    const started = createdAsk({ deadlineAt: LIFE, graceMs: 0 });
    const out = step(step(started, journalled, { now: 0, roll: 0 }).status, sent, {
      now: 0,
      roll: 0,
    });
    expect(line(step(out.status, unserved, { now: 1, roll: 0 }))).toBe("lost | not_serving");
  });
});

describe("an ask without a connection", () => {
  it("is lost as bus_unreachable after the grace, without a cancel when it never left", () => {
    const { status } = run(...PATHS.created);
    expect(nextTimer(status)).toBe(CUT_GRACE_MS);
    expect(line(step(status, timer, { now: CUT_GRACE_MS - 1, roll: 0 }))).toBe("created");
    expect(line(step(status, timer, { now: CUT_GRACE_MS, roll: 0 }))).toBe(
      "lost | bus_unreachable",
    );
  });

  it("is lost after the grace as well when it was sent and nobody accepted, with a cancel", () => {
    const { status } = run(...PATHS.sent, [100, { kind: "disconnected" }], [200, dropped]);
    expect(nextTimer(status)).toBe(100 + CUT_GRACE_MS);
    expect(line(step(status, timer, { now: 100 + CUT_GRACE_MS, roll: 0 }))).toBe(
      "lost | bus_unreachable, cancel timed_out",
    );
  });

  it("waits on when it was accepted", () => {
    const { status } = run(...PATHS.accepted, [100, { kind: "disconnected" }], [90_000, timer]);
    expect(status.state).toBe("accepted");
  });

  it("forgets what 503 had told before the cut", () => {
    const { status } = run(
      ...PATHS.sent,
      [1, unserved],
      [100, { kind: "disconnected" }],
      [2_050, { kind: "reconnected" }],
      [2_050, sent],
      [2_051, unserved],
    );
    expect(status.state).toBe("sent");
  });
});

describe("the child's own deadline", () => {
  it.each([
    ["created", "lost | bus_unreachable"],
    ["sent", "lost | timed_out, cancel timed_out"],
    ["accepted", "lost | timed_out, cancel timed_out"],
    ["decided", "decided"],
    ["lost", "lost"],
  ] as const)("ends an ask in state %s with the reason that is true", (state, expected) => {
    expect(line(run(...PATHS[state], [LIFE, timer]))).toBe(expected);
  });

  it("ends an unserved ask as not_serving", () => {
    const started = createdAsk({ deadlineAt: 1_000, graceMs: GRACE });
    let status = step(started, journalled, { now: 0, roll: 0 }).status;
    status = step(status, sent, { now: 0, roll: 0 }).status;
    status = step(status, unserved, { now: 1, roll: 0 }).status;
    expect(line(step(status, timer, { now: 1_000, roll: 0 }))).toBe("lost | not_serving");
  });

  it("is looked at before a decision that arrives with it", () => {
    expect(line(run(...PATHS.accepted, [LIFE, decisionOf("d1")]))).toBe(
      "lost | timed_out, cancel timed_out | receipt d1 late",
    );
  });
});

describe("the incarnations an ask takes a decision from", () => {
  it("are the one that accepted and a later one that accepted", () => {
    const { status } = run(...PATHS.accepted, [2, acceptedBy("10.q")]);
    for (const incarnation of ["3.p", "10.q"]) {
      const { status: over } = step(status, decisionOf("d1", incarnation), { now: 3, roll: 0 });
      expect(over.state).toBe("decided");
    }
  });

  it.each(["2.o", "3.x", "11.r", "junk"])("are not %s, which never accepted", (incarnation) => {
    const { status } = run(...PATHS.accepted, [2, acceptedBy("10.q")]);
    expect(line(step(status, decisionOf("d1", incarnation), { now: 3, roll: 0 }))).toBe("accepted");
  });

  it("do not grow by an earlier or equal one that accepts afterwards", () => {
    const { status } = run(...PATHS.accepted, [2, acceptedBy("2.o")], [3, progressBy("3.x")]);
    expect(status.acceptedBy).toEqual(["3.p"]);
  });
});
