import type { Random } from "../random.ts";
import type { Scene } from "../scene.ts";

/** What a fault is told while it strikes. */
export interface Strike {
  readonly scene: Scene;
  readonly random: Random;
  /** Says what was done, at the moment it is done. */
  readonly fired: (what: string) => void;
  /** Waits between the least and the most milliseconds. */
  readonly pause: (least: number, most: number) => Promise<void>;
}

/** Something that goes wrong, again and again, while asks are open. */
export interface StormFault {
  readonly name: string;
  /** Begins it and mends it. Calls `fired` once for each thing that was broken. */
  readonly strike: (strike: Strike) => Promise<void>;
  /** Further kinds of calls that it is about. */
  readonly kinds?: readonly string[];
}
