import { z } from "zod";
import { openAskHead, shownAsk, whereaboutsFields } from "../../bus/control-schemas.ts";

const filled = z.string().min(1);

/** The lines of an operator's commands, by the name of their schema's file. */
export const OPERATOR_LINE_SCHEMAS = {
  pending: z
    .strictObject({
      pending: z.strictObject({ ...openAskHead.unwrap().shape, session: filled }).readonly(),
    })
    .readonly(),
  gone: z
    .strictObject({ gone: z.strictObject({ session: filled, requestId: filled }).readonly() })
    .readonly(),
  shown: z
    .strictObject({
      shown: z
        .strictObject({
          session: filled,
          requestId: filled,
          digest: filled,
          ...whereaboutsFields,
          ask: shownAsk,
        })
        .readonly(),
    })
    .readonly(),
} as const;
