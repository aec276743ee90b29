import { z } from "zod";
import { commandContext } from "./payload.ts";
import { filledText, text } from "./text.ts";

const textList = z.array(text).readonly();

/** The session an ask began at, and the agent name it states. */
export const askOrigin = z.object({ sessionId: filledText, agentName: filledText }).readonly();

/** One command unit of a shell ask. */
export const accessUnit = z
  .object({ value: text, floor: text.nullable(), context: commandContext })
  .readonly();

/** One path token of a call. */
export const accessPath = z
  .object({ surface: text, matchValues: textList, boundaryValue: text.nullable() })
  .readonly();

const factFields = {
  surface: text,
  matchValues: textList,
  boundaryValue: text.nullable(),
  units: z.array(accessUnit).readonly().exactOptional(),
  paths: z.array(accessPath).readonly().exactOptional(),
};

/** What rules are matched against. */
export const accessFacts = z.object(factFields).readonly();

/** Access facts with the folder and the principal that exist on the wire only; all or nothing. */
export const accessIntent = z
  .object({ ...factFields, requesterCwd: text, principal: askOrigin })
  .readonly();
