import type { PromptPermissionDetails } from "../ask/details.ts";
import type { LinkRuleAnswer, LinkSetup, Log } from "../ask/ports.ts";

/** What the thread of a module is started with. */
export interface ModuleStart extends LinkSetup {
  /** Address of the module, `file:`. */
  readonly file: string;
}

/** What this process says to the thread of a module. `ask` numbers the asks of a thread. */
export type ToModule =
  | { readonly kind: "ask"; readonly ask: number; readonly details: PromptPermissionDetails }
  | { readonly kind: "abort"; readonly ask: number; readonly why: string }
  | { readonly kind: "ping" }
  | {
      readonly kind: "rules";
      readonly query: number;
      readonly answer: LinkRuleAnswer | null;
    };

/** What the thread of a module says. */
export type FromModule =
  | { readonly kind: "ready" }
  | { readonly kind: "vacant"; readonly why: string }
  | { readonly kind: "verdict"; readonly ask: number; readonly verdict: unknown }
  | { readonly kind: "failed"; readonly ask: number; readonly why: string }
  | { readonly kind: "pong" }
  | {
      readonly kind: "query";
      readonly ask: number;
      readonly query: number;
      readonly surface: string;
      readonly value: string;
    }
  | {
      readonly kind: "log";
      readonly ask: number;
      readonly level: keyof Log;
      readonly fields: object;
      readonly text: string;
    };
