import { textIn } from "../audit/read-record.ts";
import { findAsks, type Narrowing, type Story, storyOf } from "../audit/story.ts";
import { sessionToken } from "../bus/tokens.ts";
import { openStoreReads, readTime, type StoreFlags } from "./audit-store.ts";
import { wholeLine } from "./audit-text.ts";
import { CommandError, EXIT } from "./failure.ts";
import { type Io, printLine } from "./io.ts";
import type { StoriesLine, StoryLine } from "./lines.ts";
import { storyRecordLine } from "./record-line.ts";
import { storyText } from "./story-text.ts";

/** Flags of `audit trace`. */
export interface TraceFlags extends StoreFlags {
  readonly session?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

/** Tells the story of one ask, or of each ask that a tool call raised: the first ones, and how many there are. */
export async function runTrace(id: string, flags: TraceFlags, io: Io): Promise<number> {
  await using reads = await openStoreReads(flags, io);
  const asks = await findAsks(reads, id, narrowingOf(flags, io));
  let told = 0;
  for (const ask of asks.slice(0, flags.limit)) {
    if (io.stop.aborted) return EXIT.ok;
    const story = await storyOf(reads, ask);
    if (story === null) continue;
    if (flags.json === true) printStory(story, io);
    else io.write(`${told > 0 ? "\n" : ""}${storyText(story, flags.width)}`);
    told += 1;
  }
  if (told === 0) throw new CommandError(unknownText(id, flags));
  if (asks.length > flags.limit) tellMore({ toolCallId: id, told, asks: asks.length }, flags, io);
  return EXIT.ok;
}

function narrowingOf({ session, since, until }: TraceFlags, io: Io): Narrowing {
  return {
    ...(session ? { sessionToken: sessionToken(session) } : {}),
    ...(since ? { since: readTime(since, "--since", io) } : {}),
    ...(until ? { until: readTime(until, "--until", io) } : {}),
  };
}

function unknownText(id: string, { session, since, until }: TraceFlags): string {
  const narrowed = session || since || until;
  const where = narrowed ? " that --session, --since and --until leave" : "";
  return `the store has no record of ${JSON.stringify(id)}${where}; "askfabric audit list" shows what it has, and records that were just written may still be on their way`;
}

function tellMore(stories: StoriesLine["stories"], { json, width }: TraceFlags, io: Io): void {
  if (json === true) return printLine(io, { stories } satisfies StoriesLine);
  const { toolCallId, told, asks } = stories;
  const text = `${String(told)} of the ${String(asks)} asks of tool call ${toolCallId} are told; narrow them with --session, --since and --until, or raise --limit`;
  io.write(`\n${wholeLine(text, width)}`);
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
