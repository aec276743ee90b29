import { CHANGES } from "./changes.ts";
import type { StormFault } from "./fault.ts";
import { KILLS } from "./kills.ts";
import { LINKS } from "./links.ts";
import { SLOW } from "./slow.ts";

/** Every fault that strikes by itself. */
export const FAULTS: readonly StormFault[] = [...LINKS, ...KILLS, ...CHANGES, SLOW];
