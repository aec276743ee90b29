import { describe, expect, it } from "vitest";
import { createSubjects, fleetPrefix, isSubjectPrefix } from "../../../src/wire/subjects.ts";

const subjects = createSubjects("af.v1.default");

describe("the subject table", () => {
  it("joins and takes apart every row", () => {
    const rows = [
      ["af.v1.default.ask.boss.kid", subjects.of("ask", { parent: "boss", child: "kid" })],
      [
        "af.v1.default.dec.boss.kid.perm-7",
        subjects.of("dec", { parent: "boss", child: "kid", rid: "perm-7" }),
      ],
      ["af.v1.default.ack.boss.kid", subjects.of("ack", { parent: "boss", child: "kid" })],
      [
        "af.v1.default.cancel.boss.kid.perm-7",
        subjects.of("cancel", { parent: "boss", child: "kid", rid: "perm-7" }),
      ],
      ["af.v1.default.up.boss.kid", subjects.of("up", { parent: "boss", child: "kid" })],
      ["af.v1.default.hb.boss", subjects.of("hb", { session: "boss" })],
      [
        "af.v1.default.ctl.boss.ann.list",
        subjects.of("ctl", { session: "boss", operator: "ann", op: "list" }),
      ],
      ["af.v1.default.frz.keeper", subjects.of("frz", { keeper: "keeper" })],
      [
        "af.v1.default.evt.boss.ui_prompt",
        subjects.of("evt", { session: "boss", event: "ui_prompt" }),
      ],
      [
        "af.v1.default.audit.boss.review",
        subjects.of("audit", { session: "boss", record: "review" }),
      ],
      ["af.v1.default.inbox.boss", subjects.inbox("boss")],
    ];
    for (const [literal, built] of rows) expect(built).toBe(literal);
  });

  it("parses what it joined back into the same tokens", () => {
    expect(subjects.parse("af.v1.default.dec.boss.kid=2E1.perm-7")).toEqual({
      kind: "dec",
      parent: "boss",
      child: "kid=2E1",
      rid: "perm-7",
    });
    expect(subjects.parse("af.v1.default.evt.boss.ready")).toEqual({
      kind: "evt",
      session: "boss",
      event: "ready",
    });
    expect(subjects.parse("af.v1.default.inbox.boss.Xy7.3")).toEqual({
      kind: "inbox",
      session: "boss",
      rest: "Xy7.3",
    });
  });

  it("subscribes to exactly the tokens that are given", () => {
    expect(subjects.filter("ask", { parent: "boss" })).toBe("af.v1.default.ask.boss.*");
    expect(subjects.filter("dec", { child: "kid" })).toBe("af.v1.default.dec.*.kid.*");
    expect(subjects.filter("cancel", { parent: "boss" })).toBe("af.v1.default.cancel.boss.*.*");
  });

  it.each([
    "",
    "af.v1.default",
    "af.v1.default.",
    "af.v1.default.ask",
    "af.v1.default.ask.boss",
    "af.v1.default.ask.boss.kid.more",
    "af.v1.default.ask.boss.",
    "af.v1.default.ask..kid",
    "af.v1.default.ask.boss.*",
    "af.v1.default.ask.boss.kid 1",
    "af.v1.default.toString.boss",
    "af.v1.default.__proto__.boss",
    "af.v1.default.evt.boss.secret",
    "af.v1.default.audit.boss.toString",
    "af.v1.default.inbox.boss",
    "af.v1.default.inbox.boss.",
    "af.v1.other.ask.boss.kid",
    "af.v1.defaultx.ask.boss.kid",
    "x.af.v1.default.ask.boss.kid",
  ])("does not parse %j", (subject) => {
    expect(subjects.parse(subject)).toBeNull();
  });

  it.each(["a.b", "*", ">", "", "kid 1"])("does not join a name such as %j", (child) => {
    expect(() => subjects.of("ask", { parent: "boss", child })).toThrow("child");
    expect(() => subjects.filter("up", { parent: "boss", child })).toThrow("child");
  });
});

describe("a subject prefix", () => {
  it.each(["a", "af.v1.default", "a.b.c.d", "af.v1.a=2Eb"])("may be %s", (prefix) => {
    expect(isSubjectPrefix(prefix)).toBe(true);
    expect(createSubjects(prefix).of("frz", { keeper: "k" })).toBe(`${prefix}.frz.k`);
  });

  it.each(["", ".", "a.", ".a", "a..b", "a.b.c.d.e", "a.*", ">", "a b", "ü"])(
    "may not be %j",
    (prefix) => {
      expect(isSubjectPrefix(prefix)).toBe(false);
      expect(() => createSubjects(prefix)).toThrow(JSON.stringify(prefix));
    },
  );

  it("names the fleet in one token", () => {
    expect(fleetPrefix("default")).toBe("af.v1.default");
    expect(fleetPrefix("team.a")).toBe("af.v1.team=2Ea");
  });
});
