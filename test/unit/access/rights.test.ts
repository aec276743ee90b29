import { describe, expect, it } from "vitest";
import { RIGHTS, rightsOf } from "../../../src/access/rights.ts";
import { ROLES, type Role } from "../../../src/access/roles.ts";

const PREFIX = "af.v1.default";
const all = (role: Role, self = "me"): readonly string[] => {
  const { publish, subscribe } = rightsOf(role, PREFIX, self);
  return [...publish, ...subscribe];
};

describe("what a role may do", () => {
  it.each(ROLES)("of %s is neither everything nor the fleet", (role) => {
    const broad = all(role).filter((subject) => /^(?:>|\*|\$SYS|af\.v1\.default\.>)/.test(subject));
    expect(broad).toEqual([]);
  });

  it.each(ROLES)("of %s names the speaker wherever it speaks in the fleet", (role) => {
    const { publish } = rightsOf(role, PREFIX, "me");
    const inFleet = publish.filter((subject) => !subject.startsWith("$JS."));
    const nameless = inFleet.filter((subject) => !subject.split(".").includes("me"));
    expect(nameless).toEqual([]);
  });

  it("of a session holds no right at the streams of the server", () => {
    expect(all("session").filter((subject) => subject.startsWith("$"))).toEqual([]);
  });

  it("of a session lets it read only what is addressed to it, heartbeats and freezes", () => {
    const others = rightsOf("session", PREFIX, "me").subscribe.filter(
      (subject) => !subject.split(".").includes("me"),
    );
    expect(others).toEqual([`${PREFIX}.hb.*`, `${PREFIX}.frz.*`]);
  });

  it("of an operator is to speak to sessions and never as one", () => {
    expect(rightsOf("operator", PREFIX, "me").publish).toEqual([`${PREFIX}.ctl.*.me.*`]);
  });

  it("of a sink and a provisioner is apart: the one reads, the other makes", () => {
    const shared = all("sink").filter((subject) => all("provisioner").includes(subject));
    expect(shared).toEqual(["$JS.API.STREAM.INFO.AUDIT", `${PREFIX}.inbox.me.>`]);
    expect([...all("sink"), ...all("provisioner")].join(" ")).not.toMatch(/DELETE|PURGE/);
  });

  it.each(["*", ">", "a.b", "", "a b", "lead\r\n"])("takes %j for no name", (name) => {
    expect(() => rightsOf("session", PREFIX, name)).toThrow(RangeError);
  });

  it("says why, each time", () => {
    const silent = ROLES.flatMap((role) => RIGHTS[role].filter(({ why }) => why === ""));
    expect(silent).toEqual([]);
  });
});
