import { describe, expect, it } from "vitest";
import type { Call } from "../../../storm/asks/call.ts";
import type { End } from "../../../storm/asks/kinds.ts";
import { judgeCall } from "../../../storm/judge/judge-call.ts";
import type { Kept, KeptRecords } from "../../../storm/judge/kept.ts";

const ID = "perm-1";
const COMMAND = "make part-1";

function aCall(of: Partial<Call> = {}): Call {
  return {
    id: "call-1",
    kind: { name: "allowed", verb: "make", ends: ["allowed"] },
    command: COMMAND,
    child: "worker-1",
    process: "worker-1.1",
    orphaned: false,
    lines: [aLine("allowed")],
    runs: 1,
    ...of,
  };
}

function aLine(outcome: string, of: { process?: string; requestId?: string; lost?: string } = {}) {
  const { process = "worker-1.1", requestId = ID, lost } = of;
  return { process, line: { id: "call-1", outcome, lost, requests: [{ requestId }] } };
}

function kept(records: readonly (readonly [string, string, object?])[]): KeptRecords {
  const all: Kept[] = records.map(([session, name, content = {}], place) => ({
    session,
    name,
    n: place + 1,
    requestId: ID,
    content: { ...content },
  }));
  return { byRequest: new Map([[ID, all]]), requestsOf: new Map([["call-1", [ID]]]) };
}

const ASKED = ["worker-1", "permission_request.waiting", { value: COMMAND }] as const;
const RECEIVED = ["worker-1", "forwarded_permission.response_received"] as const;
const ALLOWED = ["worker-1", "decision", { result: "allow" }] as const;
const CANCELLED = ["worker-1", "decision", { result: "deny", lost: "cancelled" }] as const;
const APPROVED = ["lead", "forwarded_permission.approved", { value: COMMAND }] as const;
const DENIED = ["lead", "forwarded_permission.denied"] as const;
const LATE = ["lead", "forwarded_permission.late_decision"] as const;
const ALL = [ASKED, APPROVED, RECEIVED, ALLOWED];

const faultsOf = (call: Call, records: KeptRecords): readonly string[] => [
  ...new Set(judgeCall(call, records, { way: ["lead"] }).found.map(({ fault }) => fault)),
];

const aTakenBackCall = (ends: readonly End[]): Call =>
  aCall({
    kind: { name: "taken back", verb: "race", ends },
    lines: [aLine("lost", { lost: "cancelled" })],
    runs: 0,
  });

describe("the judge of a storm", () => {
  it("finds nothing in an ask that was allowed once, applied and recorded at both ends", () => {
    expect(judgeCall(aCall(), kept(ALL), { way: ["lead"] })).toMatchObject({
      asked: true,
      found: [],
    });
  });

  it("finds an ask lost without an end, with an untold one, and with one that is not true", () => {
    expect(faultsOf(aCall({ lines: [] }), kept(ALL))).toEqual(["lost"]);
    expect(faultsOf(aCall(), kept([ASKED, APPROVED, RECEIVED]))).toContain("lost");
    const denied = ["worker-1", "decision", { result: "deny" }] as const;
    expect(faultsOf(aCall(), kept([ASKED, DENIED, RECEIVED, denied]))).toContain("lost");
    expect(faultsOf(aTakenBackCall(["allowed"]), kept([ASKED, CANCELLED]))).toEqual(["lost"]);
  });

  it("takes the end that a killed process left to the next one", () => {
    expect(
      faultsOf(aCall({ orphaned: true, lines: [], runs: 0 }), kept([ASKED, CANCELLED])),
    ).toEqual([]);
  });

  it("counts no call that was never read, and finds one that was told without any record", () => {
    const nothing: KeptRecords = { byRequest: new Map(), requestsOf: new Map() };
    const unread = aCall({ orphaned: true, lines: [] });
    expect(judgeCall(unread, nothing, { way: [] })).toMatchObject({ asked: false, found: [] });
    expect(faultsOf(aCall(), nothing)).toEqual(["lost"]);
  });

  it("finds two outcomes, two verdicts and two runs of a tool doubled", () => {
    expect(faultsOf(aCall({ lines: [aLine("allowed"), aLine("allowed")] }), kept(ALL))).toEqual([
      "doubled",
    ]);
    expect(faultsOf(aCall(), kept([...ALL, RECEIVED]))).toEqual(["doubled"]);
    expect(faultsOf(aCall({ runs: 2 }), kept(ALL))).toEqual(["doubled"]);
  });

  it("finds what is of another ask, session or process misdelivered", () => {
    expect(
      faultsOf(aCall({ lines: [aLine("allowed", { process: "worker-1.2" })] }), kept(ALL)),
    ).toEqual(["misdelivered"]);
    expect(
      faultsOf(aCall({ lines: [aLine("allowed", { requestId: "perm-2" })] }), kept(ALL)),
    ).toEqual(["misdelivered"]);
    const other = ["lead", "forwarded_permission.approved", { value: "make part-2" }] as const;
    expect(faultsOf(aCall(), kept([ASKED, other, RECEIVED, ALLOWED]))).toEqual(["misdelivered"]);
    const whose = { requesterSessionId: "worker-2" };
    const whoseAsk = ["lead", "forwarded_permission.accepted", whose] as const;
    expect(faultsOf(aCall(), kept([whoseAsk, ...ALL]))).toEqual(["misdelivered"]);
  });

  it("finds a verdict divergent that its parent's last record contradicts, unless that came late", () => {
    const changed = [ASKED, APPROVED, RECEIVED, ALLOWED, DENIED];
    expect(faultsOf(aCall(), kept(changed))).toEqual(["divergent"]);
    expect(faultsOf(aCall(), kept([...changed, LATE]))).toEqual([]);
    expect(faultsOf(aCall(), kept([...ALL, LATE]))).toEqual(["divergent"]);
  });

  it("takes an answer that met another one for no word against the one that stands", () => {
    const other = [...LATE, { why: "another_end" }] as const;
    expect(faultsOf(aCall(), kept([...ALL, other]))).toEqual([]);
    expect(faultsOf(aCall(), kept([...ALL, other, LATE]))).toEqual(["divergent"]);
  });

  it("finds a verdict divergent that had no effect and is not recorded as late", () => {
    const call = aTakenBackCall(["lost cancelled"]);
    expect(faultsOf(call, kept([ASKED, APPROVED, CANCELLED]))).toEqual(["divergent"]);
    expect(faultsOf(call, kept([ASKED, APPROVED, CANCELLED, LATE]))).toEqual([]);
  });

  it("holds every hop of a relay against what the node before it applied", () => {
    const way = ["middle", "lead"];
    const passed = [
      "middle",
      "forwarded_permission.response_received",
      { approved: true },
    ] as const;
    const middle = ["middle", "forwarded_permission.approved"] as const;
    const whole = [ASKED, APPROVED, passed, middle, RECEIVED, ALLOWED];
    const divergent = (records: KeptRecords): readonly string[] =>
      judgeCall(aCall(), records, { way }).found.map(({ why }) => why);
    expect(divergent(kept(whole))).toEqual([]);
    expect(divergent(kept([...whole, DENIED]))).toEqual(["denied at lead, allowed at middle"]);
    const without = [ASKED, APPROVED, middle, RECEIVED, ALLOWED];
    expect(divergent(kept(without))).toEqual(["allowed at lead, nothing at middle"]);
    expect(divergent(kept([...whole, LATE]))).toEqual(["applied as allowed, and recorded as late"]);
  });

  it("takes the word of a relay whose child was told too late that the verdict above had no effect", () => {
    const passed = [
      "middle",
      "forwarded_permission.response_received",
      { approved: true },
    ] as const;
    const middle = ["middle", "forwarded_permission.approved"] as const;
    const late = ["middle", "forwarded_permission.late_decision"] as const;
    const call = aTakenBackCall(["lost cancelled"]);
    const records = kept([ASKED, APPROVED, passed, middle, CANCELLED, late, LATE]);
    expect(judgeCall(call, records, { way: ["middle", "lead"] }).found).toEqual([]);
    const unsaid = kept([ASKED, APPROVED, passed, middle, CANCELLED, LATE]);
    expect(
      judgeCall(call, unsaid, { way: ["middle", "lead"] }).found.map(({ why }) => why),
    ).toEqual([
      "allowed at middle, nothing at worker-1",
      "applied as allowed, and recorded as late",
    ]);
  });

  it("holds each of several parents against what the child applied of its very answer", () => {
    const ways = { way: ["lead"], spares: ["spare"] };
    const spare = ["spare", "forwarded_permission.approved", { value: COMMAND }] as const;
    const received = [...RECEIVED, { targetSessionId: "spare" }] as const;
    const found = (...records: Parameters<typeof kept>[0]): readonly string[] =>
      judgeCall(aCall(), kept(records), ways).found.map(({ why }) => why);
    expect(found(ASKED, spare, received, ALLOWED)).toEqual([]);
    expect(found(ASKED, APPROVED, spare, received, ALLOWED)).toEqual([
      "allowed at lead, nothing at worker-1",
    ]);
    expect(found(ASKED, APPROVED, spare, received, ALLOWED, LATE)).toEqual([]);
  });
});
