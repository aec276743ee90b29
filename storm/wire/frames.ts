/** One unit of the NATS protocol: a control line, or a message with its payload. */
export interface Frame {
  readonly bytes: Buffer;
  /** True for what carries a payload: these may be doubled and may overtake each other. */
  readonly message: boolean;
}

const LINE_END = Buffer.from("\r\n");
const CARRIES_PAYLOAD = /^(?:PUB|HPUB|MSG|HMSG) .*?(\d+)$/i;

/** Cuts a stream of bytes into frames; what is not complete waits for the next chunk. */
export function frameCutter(): (chunk: Buffer) => readonly Frame[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const frames: Frame[] = [];
    let at = 0;
    for (;;) {
      const lineEnd = all.indexOf(LINE_END, at);
      if (lineEnd < 0) break;
      const size = CARRIES_PAYLOAD.exec(all.toString("latin1", at, lineEnd))?.[1];
      const end = lineEnd + 2 + (size === undefined ? 0 : Number(size) + 2);
      if (end > all.length) break;
      frames.push({ bytes: all.subarray(at, end), message: size !== undefined });
      at = end;
    }
    rest = all.subarray(at);
    return frames;
  };
}
