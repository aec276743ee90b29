/** How often a session that serves, or a child whose asks wait, says that it lives, in milliseconds. */
export const HEARTBEAT_MS = 1_000;

/** Without a sign for this long a session counts as silent, in milliseconds. */
export const SILENT_AFTER_MS = 3_000;
