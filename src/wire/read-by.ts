import { z } from "zod";

/**
 * What a schema makes of a value; undefined when it does not take it. A value is left at its first fault: noting all
 * faults of one message would take seconds and hundreds of megabytes.
 */
export function readBy<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  return z.validate(schema, value) ? schema.safeParse(value).data : undefined;
}
