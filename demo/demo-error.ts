/** Thrown when the demo cannot go on. The message says what failed; where the logs are is added by whoever shows it. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}

/** Thrown when somebody ended the demo before its end: a signal, or the stop key in a dialog. */
export class DemoStopped extends Error {
  override readonly name = "DemoStopped";
}
