import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Journal, JournalError } from "../../src/journal/journal.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { aChildAsk, aDraft, REAL_CLOCK } from "./journal-parts.ts";
import { chainFaults } from "./record-chain.ts";

// A process that has a journal open, for tests that start several and kill them. Its arguments: what to
// do, the data folder, the session. Every line of its output is one JSON value.
const [, , task = "", folder = "", session = ""] = process.argv;

function tell(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function open(): Promise<Journal> {
  tell({ opening: process.pid });
  const journal = await openJournal({ folder, session, clock: REAL_CLOCK });
  tell({ open: journal.incarnation, life: journal.life });
  return journal;
}

/** Writes for ever, by turns alone and in groups; tells each mark when it is durable. */
async function writeForEver(): Promise<void> {
  const journal = await open();
  for (let turn = 0; ; turn += 1) {
    const marks = Array.from({ length: 1 + (turn % 5) }, (_, k) => `${journal.owner}-${turn}-${k}`);
    await Promise.all(
      marks.map(async (mark, k) => {
        const work = (tx: Parameters<Parameters<Journal["write"]>[0]>[0]): void => {
          tx.insertChildAsk(aChildAsk({ requestId: mark }));
          tx.record(aDraft({ requestId: mark, body: { filler: "x".repeat(turn % 3000) } }), turn);
        };
        if ((turn + k) % 3 === 0) journal.write(work);
        else await journal.group(work);
      }),
    );
    tell({ durable: marks });
  }
}

/** Has one open ask until its input ends, then leaves without a word. */
async function hold(): Promise<void> {
  const journal = await open();
  journal.write((tx) => tx.insertChildAsk(aChildAsk({ requestId: journal.owner })));
  tell({ holding: journal.owner });
  process.stdin.resume();
  await once(process.stdin, "end");
  await journal.close(false);
}

/** As `hold`, with a process of its own that outlives it. */
async function holdWithChild(): Promise<void> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    detached: true,
    stdio: "ignore",
  });
  child.unref();
  tell({ child: child.pid });
  await hold();
}

/** Comes and goes for ever; whatever ask it leaves behind has an end. */
async function comeAndGo(): Promise<void> {
  for (;;) {
    const journal = await openJournal({ folder, session, clock: REAL_CLOCK });
    journal.write((tx) => tx.insertChildAsk(aChildAsk({ requestId: journal.owner })));
    await new Promise(setImmediate);
    tell({ orphans: journal.read.orphans().length });
    journal.write((tx) =>
      tx.endChildAsk(journal.owner, {
        outcome: "lost",
        decisionDigest: null,
        lost: "cancelled",
        endedAt: 1,
      }),
    );
    await journal.close(false);
  }
}

/** Stands still for ever inside a transaction. */
async function stall(): Promise<void> {
  const journal = await open();
  journal.write((tx) => {
    tx.insertChildAsk(aChildAsk({ requestId: "perm-stalled" }));
    tell({ stalled: journal.owner });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
}

/** Writes until the disk is full, frees some of it and writes again. */
async function fillDisk(): Promise<void> {
  const ballast = join(folder, "ballast");
  const journal = await open();
  writeFileSync(ballast, Buffer.alloc(1024 * 1024));
  const write = (): void => {
    journal.write((tx) => {
      for (let k = 0; k < 20; k += 1) {
        tx.record(aDraft({ body: { filler: "x".repeat(3000) } }), 1);
      }
    });
  };
  const failures: (string | undefined)[] = [];
  let written = 0;
  while (failures.length === 0) {
    try {
      write();
      written += 20;
    } catch (error) {
      failures.push(codeOf(error));
    }
  }
  const grouped = await Promise.allSettled([
    journal.group((tx) => void tx.record(aDraft({ body: { filler: "x".repeat(90_000) } }), 1)),
    journal.group((tx) => void tx.record(aDraft({ body: { filler: "x".repeat(90_000) } }), 1)),
  ]);
  for (const result of grouped) {
    failures.push(result.status === "rejected" ? codeOf(result.reason) : "none");
  }
  const head = journal.read.head().n;
  rmSync(ballast);
  write();
  tell({ failures, written, head, after: journal.read.head().n, faults: chainFaults(journal) });
  await journal.close(true);
}

/** Tells with what code the journal does not open. */
async function openOnly(): Promise<void> {
  try {
    const journal = await openJournal({ folder, session, clock: REAL_CLOCK });
    await journal.close(true);
    tell({ code: "none" });
  } catch (error) {
    tell({ code: codeOf(error) ?? String(error) });
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof JournalError ? error.code : undefined;
}

const TASKS: Readonly<Record<string, () => Promise<void>>> = {
  write: writeForEver,
  hold,
  "hold-with-child": holdWithChild,
  "come-and-go": comeAndGo,
  stall,
  "fill-disk": fillDisk,
  open: openOnly,
};

const run = TASKS[task];
if (run === undefined) throw new Error(`No such task: ${task}`);
await run();
