import type { Word } from "./words.ts";

/** A command that runs another one. */
export interface Wrapper {
  readonly floor: string;
  /** The words of each command inside; empty when there is none or it is a text. */
  readonly commands: readonly (readonly Word[])[];
  /** The text handed to a shell; null when it is none or not literal. */
  readonly text: string | null;
}
