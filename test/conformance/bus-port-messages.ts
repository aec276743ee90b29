import { describe, expect, it } from "vitest";
import type { BusEvent } from "../../src/bus/port.ts";
import {
  bytes,
  collect,
  kinds,
  listen,
  ofKind,
  type PortHarness,
  settled,
  text,
  unique,
} from "../support/port-harness.ts";
import { until } from "../support/until.ts";

/** What a port promises of messages. */
export function describeMessages(harness: () => PortHarness): void {
  describe("messages", () => {
    it("port hands subject, body and headers to the subscriber", async () => {
      await using sender = await harness().open();
      await using receiver = await harness().open();
      const subject = `${unique()}.a.b`;
      const seen = collect(receiver, subject);
      await settled(receiver);
      const headers = { "Af-Proof": "abc-_=", traceparent: "00-ü" };
      expect(sender.publish(subject, bytes("body\u0000ü"), { headers })).toBe("sent");
      const delivery = await until("the delivery", () => seen[0]);
      expect(delivery.subject).toBe(subject);
      expect(text(delivery)).toBe("body\u0000ü");
      expect(delivery.header("Af-Proof")).toBe("abc-_=");
      expect(delivery.header("traceparent")).toBe("00-ü");
      expect(delivery.header("af-proof")).toBeUndefined();
      expect(delivery.header("Missing")).toBeUndefined();
      expect(delivery.header("constructor")).toBeUndefined();
      expect(delivery.noResponders).toBe(false);
    });

    it("port hands a message to every matching subscription and to no other", async () => {
      await using port = await harness().open();
      const root = unique();
      const star = collect(port, `${root}.*.c`);
      const tail = collect(port, `${root}.>`);
      const exact = collect(port, `${root}.b.c`);
      const deeper = collect(port, `${root}.*`);
      const other = collect(port, `${root}.b.c.d`);
      port.publish(`${root}.b.c`, bytes("x"));
      await settled(port, port);
      expect([star, tail, exact, deeper, other].map((seen) => seen.length)).toEqual([
        1, 1, 1, 0, 0,
      ]);
    });

    it("port hears what it publishes itself, after publish has returned", async () => {
      await using port = await harness().open();
      const subject = unique();
      const seen = collect(port, subject);
      port.publish(subject, bytes("own"));
      expect(seen).toEqual([]);
      await until("the own message", () => seen.length === 1);
    });

    it("subscriber receives the messages of one sender in the order of publishing", async () => {
      await using sender = await harness().open();
      await using receiver = await harness().open();
      const root = unique();
      const seen = collect(receiver, `${root}.*`);
      await settled(receiver);
      const sent = Array.from({ length: 500 }, (_, place) => String(place));
      for (const body of sent) sender.publish(`${root}.s${body}`, bytes(body));
      await until("all messages", () => seen.length === sent.length);
      expect(seen.map(text)).toEqual(sent);
    });

    it("delivered bytes stay as they are when later messages come", async () => {
      await using port = await harness().open();
      const subject = unique();
      const seen = collect(port, subject);
      const body = bytes("first");
      port.publish(subject, body);
      await settled(port, port);
      for (let round = 0; round < 50; round += 1) port.publish(subject, bytes("later"));
      await settled(port, port);
      expect(seen.slice(0, 2).map(text)).toEqual(["first", "later"]);
    });

    it("unsubscribed handler is called no more", async () => {
      await using port = await harness().open();
      const root = unique();
      const first: string[] = [];
      const subscription = port.subscribe(`${root}.a`, (delivery) => {
        first.push(text(delivery));
        subscription.unsubscribe();
      });
      const second = collect(port, `${root}.a`);
      expect(subscription.subject).toBe(`${root}.a`);
      port.publish(`${root}.a`, bytes("1"));
      port.publish(`${root}.a`, bytes("2"));
      await until("both messages", () => second.length === 2);
      expect(first).toEqual(["1"]);
    });

    it("port says where it is: server name and version", async () => {
      await using port = await harness().open();
      expect(port.serverVersion).toMatch(/^\d+\.\d+\.\d+/);
      expect(port.serverName).not.toBe("");
    });
  });

  describe("no responders", () => {
    it("publisher hears on the reply subject that nobody is subscribed", async () => {
      await using port = await harness().open();
      const root = unique();
      const seen = collect(port, `${root}.dec.*.me.*`);
      const reply = `${root}.dec.parent.me.rid-1`;
      port.publish(`${root}.ask.parent.me`, bytes("ask"), { reply });
      const delivery = await until("the 503", () => seen[0]);
      expect(delivery.subject).toBe(reply);
      expect(delivery.noResponders).toBe(true);
      expect(delivery.data.length).toBe(0);
    });

    it("publisher hears nothing of the kind when somebody is subscribed", async () => {
      await using port = await harness().open();
      await using parent = await harness().open();
      const root = unique();
      const heard = collect(parent, `${root}.ask.parent.*`);
      await settled(parent);
      const seen = collect(port, `${root}.dec.>`);
      port.publish(`${root}.ask.parent.me`, bytes("ask"), { reply: `${root}.dec.x` });
      await until("the ask", () => heard.length === 1);
      await settled(port, port);
      expect(seen).toEqual([]);
    });

    it("nobody else hears that nobody is subscribed", async () => {
      await using port = await harness().open();
      await using bystander = await harness().open();
      const root = unique();
      const seen = collect(bystander, `${root}.dec.>`);
      await settled(bystander);
      const own = collect(port, `${root}.dec.>`);
      port.publish(`${root}.ask`, bytes("ask"), { reply: `${root}.dec.x` });
      await until("the 503", () => own.length === 1);
      await settled(bystander);
      expect(seen).toEqual([]);
    });

    it("an empty message of a peer is not taken for the server's word", async () => {
      await using port = await harness().open();
      const subject = unique();
      const seen = collect(port, subject);
      port.publish(subject, new Uint8Array());
      port.publish(subject, new Uint8Array(), { headers: { Status: "503" } });
      await until("both messages", () => seen.length === 2);
      expect(seen.map((delivery) => delivery.noResponders)).toEqual([false, false]);
    });

    it("port says nothing when a message without reply subject is heard by nobody", async () => {
      await using port = await harness().open();
      const seen = collect(port, ">");
      await settled(port);
      seen.length = 0;
      await using other = await harness().open();
      expect(other.publish(`${unique()}`, bytes("x"))).toBe("sent");
      await settled(other, port);
      expect(seen.filter((delivery) => delivery.noResponders)).toEqual([]);
    });
  });

  describe("faults of handlers", () => {
    it("a handler that throws is reported and goes on receiving", async () => {
      await using port = await harness().open();
      const events = listen(port);
      const root = unique();
      const seen: string[] = [];
      port.subscribe(`${root}.a`, (delivery) => {
        seen.push(text(delivery));
        throw new Error("handler broke");
      });
      const calm = collect(port, `${root}.a`);
      port.publish(`${root}.a`, bytes("1"));
      port.publish(`${root}.a`, bytes("2"));
      await until("the reports", () => ofKind(events, "handler_failed").length === 2);
      await until("the calm handler", () => calm.length === 2);
      expect(seen).toEqual(["1", "2"]);
      expect(ofKind(events, "handler_failed")[0]).toMatchObject({
        subject: `${root}.a`,
        error: { message: "handler broke" },
      });
      expect(port.connected()).toBe(true);
    });

    it("a listener that throws keeps no other from hearing events", async () => {
      await using port = await harness().open();
      port.onEvent(() => {
        throw new Error("listener broke");
      });
      const events = listen(port);
      await port.close();
      await until("the end", () => kinds(events).includes("closed"));
      expect(kinds(events)).toContain("handler_failed");
    });

    it("a listener that stopped hears nothing more", async () => {
      await using port = await harness().open();
      const events: BusEvent[] = [];
      const stop = port.onEvent((event) => events.push(event));
      stop();
      const others = listen(port);
      await port.close();
      await until("the end", () => kinds(others).includes("closed"));
      expect(events).toEqual([]);
    });
  });

  describe("limits", () => {
    it("port takes a message of the largest size and refuses one byte more", async () => {
      await using port = await harness().open();
      const subject = unique();
      const seen = collect(port, subject);
      const largest = new Uint8Array(port.maxPayloadBytes);
      expect(port.publish(subject, largest)).toBe("sent");
      expect(port.publish(subject, new Uint8Array(port.maxPayloadBytes + 1))).toBe("too_large");
      await until("the largest message", () => seen[0]?.data.length === largest.length);
      await settled(port);
      expect(seen.length).toBe(1);
      expect(port.connected()).toBe(true);
    });

    it("port counts headers against the largest size exactly as the server does", async () => {
      await using port = await harness().open();
      const subject = unique();
      const seen = collect(port, subject);
      const headers = { "Af-Proof": "x".repeat(100), "Af-Remaining": " 12 " };
      const frame = "NATS/1.0\r\nAf-Proof: \r\nAf-Remaining: 12\r\n\r\n".length + 100;
      const room = port.maxPayloadBytes - frame;
      expect(port.publish(subject, new Uint8Array(room), { headers })).toBe("sent");
      expect(port.publish(subject, new Uint8Array(room + 1), { headers })).toBe("too_large");
      const delivery = await until("the message that fits", () => seen[0]);
      expect(delivery.header("Af-Remaining")).toBe("12");
      await settled(port);
      expect(port.connected()).toBe(true);
    });

    it.each(["", "a..b", ".a", "a.", "a b", "a\r\nPUB x 0", "a.*", "a.>", "a\u0000b"])(
      "port refuses to publish to %j as a mistake of the caller",
      async (subject) => {
        await using port = await harness().open();
        expect(() => port.publish(subject, bytes("x"))).toThrow(
          expect.objectContaining({ code: "bus_bad_message" }),
        );
        expect(() => port.publish("good", bytes("x"), { reply: subject })).toThrow(
          expect.objectContaining({ code: "bus_bad_message" }),
        );
        expect(port.connected()).toBe(true);
      },
    );

    it.each(["", "a..b", ">.a", "a.>.b", "a b", "a*"])(
      "port refuses to subscribe to %j as a mistake of the caller",
      async (subject) => {
        await using port = await harness().open();
        expect(() => port.subscribe(subject, () => undefined)).toThrow(
          expect.objectContaining({ code: "bus_bad_message" }),
        );
      },
    );

    it.each([{ "A:b": "x" }, { "": "x" }, { "a b": "x" }, { a: "x\r\ny" }, { a: "x\ny" }])(
      "port refuses the header %j as a mistake of the caller",
      async (headers) => {
        await using port = await harness().open();
        expect(() => port.publish("good", bytes("x"), { headers })).toThrow(
          expect.objectContaining({ code: "bus_bad_message" }),
        );
      },
    );
  });
}
