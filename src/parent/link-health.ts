import type { LinkReport } from "../chain/run-chain.ts";

/** So many failures of a link without an answer between them are told as an error; then each ten times as many. */
const ALARM_AT = 10;

/** How the links of a node fare. */
export interface LinkHealth {
  note(report: LinkReport): void;
  /** Asks and failures by link, as `link_asked:NAME` and `link_failed:NAME`. */
  read(): Readonly<Record<string, number>>;
}

interface Fared {
  asked: number;
  failed: number;
  /** Failures since its last answer. */
  inRow: number;
}

/** Begins to count. A link that only ever fails looks like one that defers: that is said aloud. */
export function openLinkHealth(alarm: (fields: object, text: string) => void): LinkHealth {
  const links = new Map<string, Fared>();
  return {
    note: ({ name, failed }) => {
      const fared = links.get(name) ?? { asked: 0, failed: 0, inRow: 0 };
      links.set(name, fared);
      fared.asked += 1;
      if (failed === undefined) {
        fared.inRow = 0;
        return;
      }
      fared.failed += 1;
      fared.inRow += 1;
      if (fared.inRow >= ALARM_AT && Number.isInteger(Math.log10(fared.inRow))) {
        const { asked, inRow } = fared;
        alarm({ link: name, reason: failed, asked, inRow }, "a link fails on every ask");
      }
    },
    read: () =>
      Object.fromEntries(
        [...links].flatMap(([name, { asked, failed }]) => [
          [`link_asked:${name}`, asked],
          [`link_failed:${name}`, failed],
        ]),
      ),
  };
}
