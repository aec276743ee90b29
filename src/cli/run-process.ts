import { sentenceOf } from "./failure.ts";
import { openIo } from "./io.ts";
import { runProgram } from "./program.ts";

/** Runs this process's command line and ends the process with its exit code. Never throws: what fails inside is said. */
export async function runProcess(): Promise<void> {
  process.on("uncaughtException", failInside);
  process.on("unhandledRejection", failInside);

  const code = await runProgram(process.argv.slice(2), openIo());
  // What is written to a pipe may still be on its way.
  process.stdout.write("", () => {
    const fault: (Error & { readonly code?: string }) | null = process.stdout.errored;
    if (fault === null || fault.code === "EPIPE") process.exit(code);
    process.stderr.write(
      `askfabric: standard output could not be written (${fault.message}); make room there or send it elsewhere\n`,
    );
    process.exit(code === 0 ? 1 : code);
  });
}

function failInside(error: unknown): void {
  process.stderr.write(`askfabric: this program failed inside: ${sentenceOf(error)}\n`);
  process.exit(1);
}
