import { z } from "zod";

const PINS = z.strictObject({
  version: z.literal(1),
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});

/**
 * Reads the content of the file of pins: hex SHA-256 digests by real path.
 *
 * @throws when it has another form.
 */
export function parsePins(content: unknown): { readonly files: Readonly<Record<string, string>> } {
  return PINS.parse(content);
}
