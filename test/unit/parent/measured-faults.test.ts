import { describe, expect, it } from "vitest";
import { aFamily, shell } from "../../support/family.ts";

const RM = { action: "deny", reason: "name the files one by one" } as const;

describe("a chain of commands at a parent that allows its first part", () => {
  it.each([
    "echo hi && rm important.txt",
    "echo hi; rm important.txt",
    "echo hi || rm important.txt",
    "echo hi | rm important.txt",
    "echo $(rm other.txt)",
    "echo `rm other.txt`",
    "(echo hi; rm other.txt)",
    "echo hi\nrm other.txt",
    "echo hi & rm other.txt",
    'sh -c "rm other.txt"',
    "echo a && echo b && echo c && echo d && rm -r e && echo f",
  ])("is denied by the rule for another part: %j", async (command) => {
    await using family = await aFamily({ parent: { bash: { "echo *": "allow", "rm *": RM } } });
    const outcome = await family.decide(shell(command));
    expect(outcome).toMatchObject({
      outcome: "denied",
      requests: [
        {
          decidedBy: {
            kind: "forwarded",
            responderSessionId: "parent-1",
            decision: { kind: "rule", surface: "bash", pattern: "rm *", origin: "global" },
          },
        },
      ],
    });
    expect(outcome.text).toContain(RM.reason);
    expect(outcome.text).not.toMatch(/user/i);
    expect(family.terminal.put).toEqual([]);
  });

  it("is put to a person when a part of it is allowed by no rule", async () => {
    await using family = await aFamily({ parent: { bash: { "echo *": "allow" } } });
    const ended = family.decide(shell("echo hi && curl https://a.example"));
    const { ask } = await family.shown();
    expect(ask.details.accessIntent?.surface).toBe("bash");
    family.terminal.deny(ask.details.requestId);
    expect((await ended).outcome).toBe("denied");
  });

  it("alone is allowed by its rule, so that it is the chain which made the difference", async () => {
    await using family = await aFamily({ parent: { bash: { "echo *": "allow", "rm *": RM } } });
    expect(await family.decide(shell("echo hi"))).toMatchObject({ outcome: "allowed" });
    expect(family.terminal.put).toEqual([]);
  });
});

describe("the target of an MCP call", () => {
  const call = {
    toolName: "mcp",
    mcp: { server: "files", tool: "delete" },
    input: { path: "/a", force: true },
  };

  it("reaches the parent's rules, so that one for the tool denies and one for another does not", async () => {
    await using family = await aFamily({
      parent: { mcp: { "files:*": "allow", "files:delete": "deny" } },
    });
    expect(await family.decide(call)).toMatchObject({
      outcome: "denied",
      requests: [{ decidedBy: { decision: { kind: "rule", pattern: "files:delete" } } }],
    });
    const other = { ...call, mcp: { server: "files", tool: "list" } };
    expect(await family.decide(other)).toMatchObject({ outcome: "allowed" });
  });

  it("is shown to a person with its arguments, and its grant names no other server", async () => {
    await using family = await aFamily({});
    const ended = family.decide(call);
    const { ask } = await family.shown();
    expect(ask.details).toMatchObject({
      surface: "mcp",
      value: "files:delete",
      payload: {
        kind: "mcp",
        request: { value: "files:delete" },
        evidence: [{ label: "input", text: JSON.stringify(call.input, null, 2) }],
      },
      sessionApproval: { grants: [{ surface: "mcp", pattern: "files:*" }] },
      accessIntent: { matchValues: ["files:delete", "files_delete", "files"] },
    });
    family.terminal.deny(ask.details.requestId);
    await ended;
  });
});

describe("a path that the parent denies", () => {
  it.each([
    ["cat .env", { "*.env": "deny" }],
    ["cat src/../config/prod.env", { "config/*": "deny" }],
    ["cp a.txt ~/.ssh/authorized_keys", { "~/.ssh/*": "deny" }],
    ["echo x > .git/hooks/pre-push", { ".git/*": "deny" }],
    ["tar -xf /opt/a.tar", { "/opt/*": "deny" }],
  ] as const)(
    "denies the command that names it, though every command is allowed: %s",
    async (command, path) => {
      await using family = await aFamily({
        parent: { bash: "allow", path, external_directory: "allow" },
      });
      expect(await family.decide(shell(command))).toMatchObject({ outcome: "denied" });
      expect(family.terminal.put).toEqual([]);
    },
  );

  it("is judged as the child's machine knows it, not by the parent's own home", async () => {
    await using family = await aFamily({
      parent: { bash: "allow", path: { "/home/op/keys/*": "deny" }, external_directory: "allow" },
      parentOptions: { home: "/home/somebody" },
      childOptions: { home: "/home/op" },
    });
    expect(await family.decide(shell("cat ~/keys/id"))).toMatchObject({ outcome: "denied" });
  });
});

describe("a floor of the child", () => {
  it.each(['sh -c "ls"', "sudo ls", "eval ls", "xargs ls", "python3 -c 'print(1)'"])(
    "crosses: no rule of the parent allows %s by itself",
    async (command) => {
      await using family = await aFamily({ parent: { bash: "allow" } });
      const ended = family.decide(shell(command));
      const { ask } = await family.shown();
      const floors = ask.details.accessIntent?.units?.map(({ floor }) => floor);
      expect(floors?.some((floor) => floor !== null)).toBe(true);
      family.terminal.allow(ask.details.requestId);
      expect(await ended).toMatchObject({ outcome: "allowed" });
    },
  );
});

describe("who refused", () => {
  it("is the parent's rule in the words of the rule, never a person", async () => {
    await using family = await aFamily({ parent: { bash: { "git push *": RM } } });
    const outcome = await family.decide(shell("git push origin main"));
    expect(outcome).toMatchObject({ outcome: "denied", requests: [{ resolution: "policy_deny" }] });
    expect(outcome.text).toMatch(/rule "git push \*" in another session.*name the files/);
    expect(outcome.text).not.toMatch(/user/i);
  });

  it("waits for nobody: a call that a rule allows passes one that a person thinks about", async () => {
    await using family = await aFamily({ parent: { bash: { "git status": "allow" } } });
    const slow = family.decide(shell("make deploy"));
    const { ask } = await family.shown();
    expect(await family.decide(shell("git status"))).toMatchObject({ outcome: "allowed" });
    family.terminal.deny(ask.details.requestId, "not now");
    expect(await slow).toMatchObject({ outcome: "denied" });
  });
});
