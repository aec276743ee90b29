import {
  type MsgHdrs,
  type NatsConnection,
  headers as newHeaders,
  type Subscription,
} from "@nats-io/nats-core";
import { connect } from "@nats-io/transport-node";
import { readCredentials } from "../src/bus/credentials.ts";

/** What was heard, as far as an attempt looks at it. */
export interface Heard {
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A bare connection: it does what it is told, whether its credential may or not. */
export interface Speaker extends AsyncDisposable {
  readonly name: string;
  readonly inbox: string;
  publish(subject: string, text: string, headers?: Readonly<Record<string, string>>): void;
  /** Publishes with a reply subject of its own inbox, or any other. */
  request(subject: string, text: string, reply: string): void;
  /** Collects what arrives. A subscription that the server refuses collects nothing. */
  listen(subject: string, queue?: string): Heard[];
  /** Waits until the server has done all that was sent before. */
  settle(): Promise<void>;
}

/** Opens a bare connection with a credential. @throws the library's error when the server refuses it. */
export async function speakAs(
  url: string,
  who: { readonly name: string; readonly inbox: string; readonly creds: string },
): Promise<Speaker> {
  const faults: string[] = [];
  const { authenticator } = readCredentials({ creds: who.creds }, faults);
  const connection = await connect({
    servers: url,
    authenticator,
    name: who.name,
    inboxPrefix: who.inbox,
    reconnect: false,
    timeout: 5_000,
  });
  return overConnection(connection, who);
}

function overConnection(
  connection: NatsConnection,
  { name, inbox }: { readonly name: string; readonly inbox: string },
): Speaker {
  const collect = (heard: Heard[], subscription: Subscription): void => {
    void (async () => {
      for await (const message of subscription) {
        const { subject } = message;
        heard.push({ subject, text: message.string(), headers: given(message.headers) });
      }
    })().catch(() => undefined);
  };
  return {
    name,
    inbox,
    publish: (subject, text, headers = {}) => {
      connection.publish(subject, text, { headers: headersOf(headers) });
    },
    request: (subject, text, reply) => {
      connection.publish(subject, text, { reply });
    },
    listen: (subject, queue) => {
      const heard: Heard[] = [];
      collect(heard, connection.subscribe(subject, queue === undefined ? {} : { queue }));
      return heard;
    },
    settle: async () => connection.flush(),
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}

function given(headers: MsgHdrs | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (headers?.keys() ?? []).map((name) => [name, headers?.get(name) ?? ""]),
  );
}

function headersOf(given: Readonly<Record<string, string>>): MsgHdrs {
  const made = newHeaders();
  for (const [name, value] of Object.entries(given)) made.set(name, value);
  return made;
}
