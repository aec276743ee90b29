/** What came of one input. */
export interface Told {
  /** Whether it was taken for what this border takes. */
  readonly taken: boolean;
  /** Whether a call may run because of it. */
  readonly allows: boolean;
  /** What of it comes to a screen or a log. */
  readonly shown: string;
}

/** A place where bytes of somebody else come in. */
export interface Border {
  readonly name: string;
  /** JSON text that is taken and allows nothing. */
  readonly sound: string;
  /** Takes bytes as the program does. */
  readonly take: (bytes: Uint8Array) => Told | Promise<Told>;
}

/** What was not taken. */
export const REFUSED: Told = { taken: false, allows: false, shown: "" };

/** What was taken, allows nothing and shows this. */
export const taken = (shown = ""): Told => ({ taken: true, allows: false, shown });
