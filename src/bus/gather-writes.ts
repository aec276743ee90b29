/** Most bytes that wait for the end of a turn; more leave at once. */
const GATHERED_MAX = 64 * 1024;

/** The part of a client library's socket that writes. */
export interface Writer {
  send(frame: Uint8Array): void;
  close(error?: Error): Promise<void>;
  disconnect(): void;
}

/**
 * Has everything that is written in one turn of the event loop leave in one piece: a call of the system costs more
 * than what else it takes to make a message, and the library makes one for each publish that follows a wait.
 * Whoever closes the socket has what was written before sent first.
 */
export function gatherWrites(writer: Writer): void {
  const send = writer.send.bind(writer);
  const close = writer.close.bind(writer);
  const disconnect = writer.disconnect.bind(writer);
  let frames: Uint8Array[] = [];
  let bytes = 0;
  const flush = (): void => {
    const [first, ...others] = frames;
    if (first === undefined) return;
    const whole = others.length === 0 ? first : Buffer.concat(frames, bytes);
    frames = [];
    bytes = 0;
    send(whole);
  };
  writer.send = (frame) => {
    frames.push(frame);
    bytes += frame.length;
    if (bytes >= GATHERED_MAX) flush();
    else if (frames.length === 1) process.nextTick(flush);
  };
  writer.close = async (error) => {
    flush();
    await close(error);
  };
  writer.disconnect = () => {
    flush();
    disconnect();
  };
}
