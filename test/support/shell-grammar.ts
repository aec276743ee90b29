import { loadShell } from "../../src/shell/load-shell.ts";

// What a session does before its first ask: tests judge commands as a running program does.
await loadShell();
