/** One room of `src`: its tier and the rooms it may import. The table of docs/contributing.md says the same. */
export interface Room {
  readonly tier: number;
  readonly does: string;
  readonly mayImport: readonly string[];
}

/** The direction of imports as data. `index` is `src/index.ts`. */
export const LAYERS: Readonly<Record<string, Room>> = {
  ask: {
    tier: 0,
    does: "the ask, its payload, facts, decision, grant and record as frozen data; ids; outcomes; ports",
    mayImport: [],
  },
  shell: {
    tier: 0,
    does: "command text into units, wrappers, redirects and path tokens",
    mayImport: [],
  },
  policy: {
    tier: 1,
    does: "rules and facts in, verdict out; pure",
    mayImport: ["ask", "shell"],
  },
  gates: {
    tier: 1,
    does: "a tool call in, permission requests with payload and facts out; pure given folder and look-ups",
    mayImport: ["ask", "shell"],
  },
  chain: {
    tier: 1,
    does: "links in configured order, the envelope, deadlines",
    mayImport: ["ask"],
  },
  render: {
    tier: 1,
    does: "what each audience reads: dialog, refusal, bounded record, visible text",
    mayImport: ["ask", "shell"],
  },
  wire: {
    tier: 1,
    does: "subjects, tokens, headers, schemas of revision v1, encode and tolerant decode",
    mayImport: ["ask"],
  },
  journal: {
    tier: 1,
    does: "one SQLite file per session: open asks, verdicts, grants, outbox, counters",
    mayImport: ["ask"],
  },
  store: { tier: 1, does: "the audit store contract and its stores", mayImport: ["ask"] },
  config: {
    tier: 1,
    does: "flags, environment and files into frozen, checked options",
    mayImport: ["ask", "policy"],
  },
  access: {
    tier: 2,
    does: "who may speak, as whom and where: rights by role, rosters, the server's files, JWTs",
    mayImport: ["wire"],
  },
  bus: {
    tier: 2,
    does: "NATS: connection, standing subscriptions, publish, streams, outbox pump, proofs, credentials",
    mayImport: ["ask", "wire", "journal"],
  },
  child: {
    tier: 3,
    does: "the asking role: gates and policy, ask, wait, verify, fail closed",
    mayImport: ["ask", "gates", "policy", "render", "journal", "bus"],
  },
  parent: {
    tier: 3,
    does: "the serving role: receive, decide, journal, answer, record",
    mayImport: ["ask", "policy", "chain", "render", "journal", "bus"],
  },
  audit: {
    tier: 3,
    does: "the keeping role: consume, check, append, acknowledge; query, verify, export",
    mayImport: ["ask", "render", "bus", "store"],
  },
  clients: {
    tier: 4,
    does: "one folder per agent program: its shapes into a tool call and back",
    mayImport: ["ask", "child", "parent", "render", "config"],
  },
  inbox: {
    tier: 4,
    does: "the web approval inbox and its HTTP API",
    mayImport: ["ask", "parent", "audit", "render", "config"],
  },
  cli: {
    tier: 5,
    does: "programs: wiring, signals, exit codes, the managed NATS server",
    mayImport: [
      "ask",
      "shell",
      "policy",
      "gates",
      "chain",
      "render",
      "journal",
      "store",
      "config",
      "access",
      "bus",
      "child",
      "parent",
      "audit",
      "clients",
      "inbox",
    ],
  },
  index: {
    tier: 5,
    does: "the public names, one by one",
    mayImport: ["ask", "chain", "config", "bus", "child", "parent", "audit", "clients"],
  },
};
