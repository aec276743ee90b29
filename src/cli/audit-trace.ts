import { textIn } from "../audit/read-record.ts";
import { findStories, type Story } from "../audit/story.ts";
import { openStoreReads, type StoreFlags } from "./audit-store.ts";
import { CommandError, EXIT } from "./failure.ts";
import { type Io, printLine } from "./io.ts";
import type { StoryLine } from "./lines.ts";
import { storyRecordLine } from "./record-line.ts";
import { storyText } from "./story-text.ts";

/** Tells the story of one ask, or of each ask that a tool call raised. */
export async function runTrace(id: string, flags: StoreFlags, io: Io): Promise<number> {
  await using reads = await openStoreReads(flags, io);
  const stories = await findStories(reads, id);
  if (stories.length === 0) {
    throw new CommandError(
      `the store has no record of ${JSON.stringify(id)}; "askfabric audit list" shows what it has, and records that were just written may still be on their way`,
    );
  }
  for (const [place, story] of stories.entries()) {
    if (flags.json === true) printStory(story, io);
    else io.write(`${place > 0 ? "\n" : ""}${storyText(story, flags.width)}`);
  }
  return EXIT.ok;
}

function printStory(story: Story, io: Io): void {
  for (const entry of story.entries) printLine(io, storyRecordLine(entry));
  const { ending, entries, nodes, missing, requestId } = story;
  printLine(io, {
    story: {
      requestId,
      result: ending === null ? null : textIn(ending, "result"),
      resolution: ending === null ? null : textIn(ending, "resolution"),
      tookMs: entries.at(-1)?.at ?? 0,
      records: entries.length,
      missing,
      nodes: nodes.map(({ session, hop, skewMs, withinMs }) => ({
        session,
        hop,
        skewMs,
        withinMs,
      })),
    },
  } satisfies StoryLine);
}
