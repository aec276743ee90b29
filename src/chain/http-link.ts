import type { Link } from "../ask/ports.ts";
import { MAX_ANSWER_BYTES, questionText, readAnswerText } from "./read-verdict.ts";
import { openSlots } from "./slots.ts";

/** Questions under way to one endpoint; further asks wait inside their deadline. */
const AT_ONCE = 32;

/** What a header can carry; anything else would be named, whole, by the error about it. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** A link that is an endpoint. */
export interface HttpLinkOptions {
  readonly name: string;
  /** `https:`, or `http:` to the loopback; see {@link isLinkUrl}. */
  readonly url: string;
  /** Reads the secret, sent as a bearer token; called for each ask. Absent: none is sent. */
  readonly secret?: () => string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
}

/**
 * Makes a link of an endpoint: each ask is one POST of a JSON object, answered with status 200 and one verdict as
 * JSON. Redirects are not followed: the ask and the secret are for this address alone.
 */
export function httpLink(options: HttpLinkOptions): Link {
  const { name, timeoutMs } = options;
  const slots = openSlots(AT_ONCE);
  return {
    name,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    judge: async (details, _query, _log, signal) =>
      slots.run(signal, async () => {
        const response = await post(options, questionText(options, details), signal);
        if (response.status !== 200) {
          await response.body?.cancel();
          throw new Error(`it answered with status ${response.status}`);
        }
        return readAnswerText(await readBody(response));
      }),
  };
}

async function post(
  { url, secret }: HttpLinkOptions,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  const headers = new Headers({ "content-type": "application/json", accept: "application/json" });
  if (secret !== undefined) headers.set("authorization", `Bearer ${sendable(secret())}`);
  try {
    return await fetch(url, { method: "POST", headers, body, redirect: "error", signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`it cannot be reached (${causeOf(error)})`, { cause: error });
  }
}

function sendable(secret: string): string {
  if (SENDABLE.test(secret)) return secret;
  throw new Error("its secret holds blanks or characters that no header carries");
}

async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    // Leaving the loop early cancels the rest.
    if (size > MAX_ANSWER_BYTES) throw new Error(`it wrote more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The client says the same for every failure; the system's code is one level below. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return "no reason given";
  const code: unknown = Reflect.get(cause, "code");
  return typeof code === "string" ? code : cause.message;
}
