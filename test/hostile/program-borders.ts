import { parseRoster } from "../../src/access/roster.ts";
import { readAnswerText } from "../../src/chain/read-verdict.ts";
import { readServeInput } from "../../src/cli/answer-line.ts";
import { readChildInput } from "../../src/cli/call-line.ts";
import { complaintOf } from "../../src/cli/failure.ts";
import { type InputLine, readLines } from "../../src/cli/json-lines.ts";
import { parseJsonObject } from "../../src/cli/json-value.ts";
import { readPermissionRequest } from "../../src/clients/claude-code/permission-request.ts";
import { compileConfig } from "../../src/config/compile-config.ts";
import { readPins } from "../../src/config/trust.ts";
import { type Border, REFUSED, type Told, taken } from "./border.ts";

const MAX_LINE = 1024 * 1024;

async function firstLine(bytes: Uint8Array): Promise<InputLine | undefined> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* await Promise.resolve([bytes.subarray(0, 7), bytes.subarray(7)]);
  }
  for await (const line of readLines(chunks(), MAX_LINE)) return line;
  return undefined;
}

interface Said {
  readonly kind: string;
  readonly text?: string;
  readonly answer?: string;
}

/** One line of standard input. */
function line(name: string, sound: object, read: (text: string) => Said): Border {
  return {
    name,
    sound: JSON.stringify(sound),
    take: async (bytes) => {
      const first = await firstLine(bytes);
      if (first === undefined || "fault" in first) return REFUSED;
      const said = read(first.text);
      return said.kind === "fault"
        ? { ...REFUSED, shown: complaintOf(said.text) }
        : { ...taken(), allows: (said.answer ?? "deny") !== "deny" };
    },
  };
}

const CALL = {
  id: "c1",
  toolName: "bash",
  input: { command: "ls", timeout: 5 },
  cwd: "/srv",
  mcp: { server: "s", tool: "t" },
  toolCallId: "t1",
  timeoutMs: 5_000,
};

const HOOK = {
  hook_event_name: "PermissionRequest",
  session_id: "s",
  tool_name: "mcp__a__b",
  tool_input: { command: "ls" },
  cwd: "/srv",
  agent_type: "x",
  mcp_server: { name: "a" },
};

const hook: Border = {
  name: "the input of a hook",
  sound: JSON.stringify(HOOK),
  take: (bytes) => {
    const parsed = parseJsonObject(Buffer.from(bytes).toString("utf8"));
    if ("code" in parsed) return { ...REFUSED, shown: complaintOf(parsed.text) };
    const read = readPermissionRequest(parsed.value);
    return "code" in read ? { ...REFUSED, shown: complaintOf(read.text) } : taken();
  },
};

const CONFIG = {
  $schema: "x",
  permission: { "*": "deny", bash: { "*": "ask", "rm *": { action: "deny", reason: "no" } } },
  agents: { reviewer: { permission: { bash: "deny" } } },
  authorizerChain: ["judge"],
  links: { judge: { command: ["judge"], timeoutMs: 5, options: { a: { b: [1] } } } },
  linkTimeoutMs: 5_000,
  yoloMode: false,
  shellTools: { sh: { commandArgument: "command" } },
  toolPaths: { crm: ["file"] },
  requireSigners: ["U"],
  parents: ["boss"],
  fleet: "crew",
  subjectPrefix: "af.v1.crew",
};

const config: Border = {
  name: "a configuration file",
  sound: JSON.stringify(CONFIG),
  take: (bytes) => {
    const text = Buffer.from(bytes).toString("utf8");
    const compiled = compileConfig({ user: { text }, project: { text, trusted: true } });
    const shown = compiled.issues.map(({ path, message }) => `${path} ${message}`).join("\n");
    return { taken: compiled.ok, allows: compiled.options.yoloMode && !compiled.ok, shown };
  },
};

const pins: Border = {
  name: "the file of trusted projects",
  sound: JSON.stringify({ version: 1, files: { "/srv/a": "0".repeat(64) } }),
  take: (bytes) => {
    const read = readPins(bytes, "trust.json");
    return read.ok ? taken() : { ...REFUSED, shown: read.message };
  },
};

const roster: Border = {
  name: "a roster",
  sound: JSON.stringify({
    version: 1,
    mode: "jwt",
    fleet: "crew",
    url: "tls://nats",
    entries: [
      {
        name: "worker",
        role: "session",
        publicKey: "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4",
        agents: ["mason"],
        issuedAt: 1,
        expiresAt: null,
        revokedAt: null,
      },
    ],
  }),
  take: (bytes) => {
    const read = parseRoster(Buffer.from(bytes).toString("utf8"));
    return typeof read === "string" ? { ...REFUSED, shown: read } : taken();
  },
};

const linkAnswer: Border = {
  name: "the answer of a link",
  sound: JSON.stringify({ kind: "deny", reason: "no" }),
  take: (bytes): Told => {
    try {
      const verdict = readAnswerText(bytes);
      return { ...taken(), allows: verdict.kind === "allow" };
    } catch (error) {
      return { ...REFUSED, shown: complaintOf(error) };
    }
  },
};

/** Where programs, people and files of one machine are heard. */
export const PROGRAM_BORDERS: readonly Border[] = [
  line("a line of child", CALL, (text) => readChildInput(text, "/srv")),
  line("a line that takes a call back", { id: 7, cancel: true }, (text) =>
    readChildInput(text, "/srv"),
  ),
  line("an answer to serve", { requestId: "perm-1", answer: "deny", reason: "no" }, readServeInput),
  line("a wish to serve", { requestId: "perm-1", show: "full" }, readServeInput),
  hook,
  config,
  pins,
  roster,
  linkAnswer,
];
