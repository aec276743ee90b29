import { loadShell } from "../../src/shell/load-shell.ts";

// What a session does before its first ask: tests judge commands as a running program does,
// only that what they see does not depend on how busy the machine is.
await loadShell(60_000);
