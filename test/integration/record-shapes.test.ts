import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import type { Line, RunningProgram } from "../support/askfabric.ts";
import {
  ENTRY_SHAPES,
  fitsShape,
  KIND_SHAPES,
  type RecordShape,
} from "../support/record-fields.ts";
import { answerEach } from "../support/session-pair.ts";
import { until } from "../support/until.ts";
import { openUpBench } from "../support/up-bench.ts";

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const CALLS = readFileSync(path("test/data/tool-calls.jsonl"), "utf8");
const ANSWERS = ["deny", "allow", "allow_for_session", "allow_for_serving_session"];

interface Kept {
  readonly kind: string;
  readonly event: string | null;
  readonly body: object | null;
}

interface Answered {
  readonly requestId?: string;
  readonly effective: boolean;
}

const keptOf = (line: Line): Kept => LINE_SCHEMAS.record.parse(line).record as Kept;

const nameOf = ({ event, kind }: Kept): string => event ?? kind;

function isStrange(record: Kept): boolean {
  return !shapesOf(record).some((shape) => fitsShape(record.body ?? {}, shape));
}

/** Has a person deny what an answer had no effect on: an ask need not offer every answer. */
function denyWhatIsLeft(lead: RunningProgram): void {
  lead.onLine(({ answered }) => {
    const { requestId, effective } = (answered ?? { effective: true }) as Answered;
    if (!effective) lead.say({ requestId, answer: "deny" });
  });
}

function shapesOf({ kind, event }: Kept): readonly RecordShape[] {
  const all: Readonly<Record<string, readonly RecordShape[]>> = { ...ENTRY_SHAPES, ...KIND_SHAPES };
  return all[event ?? kind] ?? [];
}

it("every record of a coding session and its parent has the shape that the page tells", async () => {
  await using bench = await openUpBench();
  const rules = ["--config", path("deploy/examples/rules.json")];
  const lead = await bench.serve("lead", [...rules, "--open", "8"]);
  let asked = 0;
  answerEach(lead, () => ({ answer: ANSWERS[(asked += 1) % ANSWERS.length], incomplete: true }));
  denyWhatIsLeft(lead);
  const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
  worker.say(CALLS.trimEnd());
  worker.endInput();
  expect(await worker.ended(30_000)).toBe(0);
  const call = ["--tool", "bash", "--input", '{"command":"git push"}'];
  const lone = bench.run(["ask", "--session", "lone", "--parent", "nobody", ...call]);
  expect(await lone.ended()).toBe(3);
  const hasty = bench.run([
    "ask",
    "--session",
    "hasty",
    "--parent",
    "mute",
    "--timeout-ms",
    "1000",
    ...call,
  ]);
  await bench.serve("mute");
  await hasty.ended();
  const relay = await bench.serve("relay", ["--parent", "lead"]);
  const far = bench.run(["ask", "--session", "far", "--parent", "relay", ...call]);
  await far.ended();
  relay.kill("SIGTERM");
  await relay.ended();
  lead.kill("SIGTERM");
  await lead.ended();
  let records: readonly Kept[] = [];
  await until(
    "the last record of each session",
    async () => {
      const list = bench.run(["audit", "list", "--all", "--json"]);
      await list.ended();
      records = list.lines.map(keptOf);
      return records.filter(({ event }) => event === "audit.stopped").length >= 5;
    },
    30_000,
  );
  expect(records.filter(isStrange)).toEqual([]);
  // What is not here the sessions of this test do not do.
  const seen = new Set(records.map(nameOf));
  for (const event of [
    "permission_request.waiting",
    "permission_request.approved",
    "permission_request.denied",
    "permission_request.blocked",
    "forwarded_permission.request_created",
    "forwarded_permission.accepted",
    "forwarded_permission.response_received",
    "forwarded_permission.no_serving_session",
    "forwarded_permission.prompted",
    "forwarded_permission.auto_approved",
    "forwarded_permission.auto_denied",
    "forwarded_permission.approved",
    "forwarded_permission.denied",
    "forwarded_permission.relay_started",
    "forwarded_permission.relay_stopped",
    "grant.recorded",
    "config.resolved",
    "ui_prompt",
    "decision",
  ]) {
    expect(seen).toContain(event);
  }
}, 120_000);
