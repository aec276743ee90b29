import { styleText } from "node:util";

/** Colours of a screen by what they say. Each gives a text back with the same letters. */
export interface Paint {
  readonly title: (text: string) => string;
  readonly key: (text: string) => string;
  readonly warning: (text: string) => string;
  /** What is always the same and need not be read again. */
  readonly quiet: (text: string) => string;
  readonly allowed: (text: string) => string;
  readonly denied: (text: string) => string;
}

type Style = Parameters<typeof styleText>[0];

const painter =
  (style: Style) =>
  (text: string): string =>
    styleText(style, text, { validateStream: false });
const asItIs = (text: string): string => text;

const COLOURS: Paint = {
  title: painter(["bold", "cyan"]),
  key: painter("bold"),
  warning: painter(["bold", "yellow"]),
  quiet: painter("dim"),
  allowed: painter("green"),
  denied: painter("red"),
};

const NO_COLOURS: Paint = {
  title: asItIs,
  key: asItIs,
  warning: asItIs,
  quiet: asItIs,
  allowed: asItIs,
  denied: asItIs,
};

/** Colours, or none. No meaning is in colour alone. */
export function paintOf(colour: boolean): Paint {
  return colour ? COLOURS : NO_COLOURS;
}

/** Whether a terminal is to be coloured: not when `NO_COLOR` holds anything, nor on one that is `dumb`. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
