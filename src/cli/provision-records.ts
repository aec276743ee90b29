import { connectKeeper, type KeeperBus } from "../bus/connect-keeper.ts";
import type { ConnectOptions } from "../bus/connect-options.ts";
import { StreamError } from "../bus/stream-error.ts";
import { RECORD_STREAM, type StreamChoice, type StreamDifference } from "../bus/stream-settings.ts";

/** What became of the audit stream. */
export type Provisioned = "made" | "as_needed" | "changed";

/**
 * Makes the audit stream when it is not there, and checks it when it is. A stream that differs is left as it is
 * unless `change` says so.
 *
 * @throws StreamError `stream_differs` and others.
 */
export async function provisionRecords(
  options: ConnectOptions,
  choice: Omit<StreamChoice, "prefix">,
  change = false,
): Promise<Provisioned> {
  await using bus = await connectKeeper({ session: "provisioner", ...options });
  const whole: StreamChoice = { ...choice, prefix: bus.prefix };
  if ((await bus.records.facts()) === null) {
    await bus.records.create(whole);
    await demandRecordStream(bus, whole);
    return "made";
  }
  const differences = await bus.records.check(whole);
  if (differences.length === 0) return "as_needed";
  if (!change) throw differs(differences);
  await bus.records.change(whole);
  await demandRecordStream(bus, whole);
  return "changed";
}

/** Demands a stream as records need it. @throws StreamError `stream_missing`, `stream_differs` and others. */
export async function demandRecordStream(bus: KeeperBus, choice: StreamChoice): Promise<void> {
  const differences = await bus.records.check(choice);
  if (differences.length > 0) throw differs(differences);
}

function differs(differences: readonly StreamDifference[]): StreamError {
  const told = differences.map(
    ({ setting, found, wanted }) => `${setting} is ${found} and must be ${wanted}`,
  );
  return new StreamError(
    "stream_differs",
    `The audit stream ${RECORD_STREAM} is not as records need it: ${told.join("; ")}. Nothing was changed. "askfabric audit provision --change" changes what the server lets be changed; for the rest use another data folder or another audit account.`,
  );
}
