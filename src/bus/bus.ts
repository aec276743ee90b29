import type { BusPort } from "./port.ts";

/** A connection together with the fleet it speaks in. */
export interface Bus extends AsyncDisposable {
  readonly port: BusPort;
  /** 1 to 4 encoded tokens, such as `af.v1.default`. */
  readonly prefix: string;
}
