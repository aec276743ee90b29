import { RECORD_STREAM } from "../bus/stream-settings.ts";
import { EXIT } from "./failure.ts";
import { type Io, printLine } from "./io.ts";
import { type KeeperFlags, keeperOptions } from "./keeper-options.ts";
import type { CheckLine } from "./lines.ts";
import { prepare } from "./prepare.ts";
import { provisionRecords } from "./provision-records.ts";

/** Flags of `audit provision`. */
export interface ProvisionFlags extends KeeperFlags {
  readonly change?: boolean;
  readonly streamBytes?: number;
  readonly replicas?: number;
}

/** Makes or checks the audit stream, and changes it when it is told to. */
export async function runProvision(flags: ProvisionFlags, io: Io): Promise<number> {
  const prepared = await prepare(flags, io, "warn");
  const options = keeperOptions("provisioner", flags, io, prepared);
  const choice = { maxBytes: flags.streamBytes ?? null, replicas: flags.replicas ?? null };
  const became = await provisionRecords(options, choice, flags.change ?? false);
  const text = `${RECORD_STREAM} ${TOLD[became]}`;
  printLine(io, { check: "stream", status: "ok", text } satisfies CheckLine);
  await prepared.log.flush();
  return EXIT.ok;
}

const TOLD = {
  made: "was made",
  as_needed: "is there, as records need it",
  changed: "was changed to what records need",
} as const;
