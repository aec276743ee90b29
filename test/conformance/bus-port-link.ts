import { describe, expect, it } from "vitest";
import type { BusDelivery } from "../../src/bus/port.ts";
import {
  bytes,
  collect,
  kinds,
  listen,
  type PortHarness,
  settled,
  text,
  unique,
} from "../support/port-harness.ts";
import { until } from "../support/until.ts";

/** What a port promises of its link, its rights and its end. */
export function describeLink(harness: () => PortHarness): void {
  describe("permissions", () => {
    it("port reports a refused publish by its subject and lives on", async () => {
      await using port = await harness().openLimited();
      const events = listen(port);
      const root = `ok.${unique()}`;
      const seen = collect(port, `${root}.a`);
      const refused = `no.${unique()}`;
      expect(port.publish(refused, bytes("x"))).toBe("sent");
      port.publish(`${root}.a`, bytes("y"));
      await until("the allowed message", () => seen.length === 1);
      const event = await until("the report", () =>
        events.find((one) => one.kind === "publish_refused"),
      );
      expect(event).toEqual({ kind: "publish_refused", subject: refused });
    });

    it("port reports a refused subscription by its subject and lives on", async () => {
      await using port = await harness().openLimited();
      const events = listen(port);
      const root = unique();
      const seen = collect(port, `no.${root}.*`);
      const allowed = collect(port, `ok.${root}`);
      const event = await until("the report", () =>
        events.find((one) => one.kind === "subscription_refused"),
      );
      expect(event).toEqual({ kind: "subscription_refused", subject: `no.${root}.*` });
      await using other = await harness().open();
      other.publish(`no.${root}.a`, bytes("x"));
      other.publish(`ok.${root}`, bytes("x"));
      await until("the allowed message", () => allowed.length === 1);
      expect(seen).toEqual([]);
      expect(port.connected()).toBe(true);
    });
  });

  describe("the link", () => {
    it("port tells once that it is connected, to a listener that came after opening", async () => {
      await using port = await harness().open();
      const events = listen(port);
      await until("the event", () => events.length > 0);
      expect(kinds(events)).toEqual(["connected"]);
      expect(port.connected()).toBe(true);
    });

    it("port drops what is published while disconnected and says so", async () => {
      await using port = await harness().open();
      const events = listen(port);
      const root = unique();
      const seen = collect(port, `${root}.*`);
      await settled(port);
      await harness().cut();
      await until("the cut", () => !port.connected());
      expect(port.publish(`${root}.a`, bytes("lost"))).toBe("disconnected");
      expect(port.publish(`${root}.a`, new Uint8Array(9_999_999))).toBe("disconnected");
      expect(await port.flush(50)).toBe(false);
      await harness().restore();
      await until("the link", () => port.connected(), 15_000);
      expect(port.publish(`${root}.b`, bytes("kept"))).toBe("sent");
      await until("the message after the cut", () => seen.length > 0);
      await settled(port);
      expect(seen.map(text)).toEqual(["kept"]);
      await until("both events", () => kinds(events).includes("reconnected"));
      const link = kinds(events).filter((kind) => kind.endsWith("connected"));
      expect(link).toEqual(["connected", "disconnected", "reconnected"]);
    });

    it("subscriptions made and ended while disconnected count after the reconnect", async () => {
      await using port = await harness().open();
      const root = unique();
      const ended: BusDelivery[] = [];
      const subscription = port.subscribe(`${root}.a`, (delivery) => ended.push(delivery));
      await settled(port);
      await harness().cut();
      await until("the cut", () => !port.connected());
      const made = collect(port, `${root}.a`);
      subscription.unsubscribe();
      await harness().restore();
      await until("the link", () => port.connected(), 15_000);
      port.publish(`${root}.a`, bytes("x"));
      await until("the message", () => made.length > 0);
      await settled(port);
      expect(made.length).toBe(1);
      expect(ended).toEqual([]);
    });

    it("port takes a refused subscription up again when a reconnect finds it allowed", async () => {
      await using port = await harness().openLimited();
      const events = listen(port);
      const subject = `no.${unique()}`;
      const seen = collect(port, subject);
      await until("the report", () => kinds(events).includes("subscription_refused"));
      await harness().cut();
      await until("the cut", () => !port.connected());
      await harness().liftLimits();
      await harness().restore();
      await until("the link", () => port.connected(), 15_000);
      await until("the message", () => {
        port.publish(subject, bytes("x"));
        return seen.length > 0;
      });
      expect(kinds(events).filter((kind) => kind === "subscription_refused").length).toBe(1);
    });

    it("flush says true once the server has seen everything", async () => {
      await using port = await harness().open();
      port.publish(unique(), bytes("x"));
      expect(await port.flush(5_000)).toBe(true);
    });
  });

  describe("the end", () => {
    it("close lets what was published before go through", async () => {
      await using receiver = await harness().open();
      const subject = unique();
      const seen = collect(receiver, subject);
      await settled(receiver);
      const sender = await harness().open();
      for (let place = 0; place < 200; place += 1) sender.publish(subject, bytes("x"));
      await sender.close();
      await until("all messages", () => seen.length === 200);
      expect(sender.connected()).toBe(false);
    });

    it("close ends the port for good and says so", async () => {
      await using port = await harness().open();
      const events = listen(port);
      const seen = collect(port, unique());
      await Promise.all([port.close(), port.close(0)]);
      expect(await port.closed).toBeNull();
      expect(port.connected()).toBe(false);
      expect(port.publish("a", bytes("x"))).toBe("closed");
      expect(await port.flush(50)).toBe(false);
      await until("the event", () => kinds(events).includes("closed"));
      expect(events.at(-1)).toEqual({ kind: "closed", error: null });
      expect(seen).toEqual([]);
      await port.close();
    });

    it("a port that is closed hears nothing any more, nor may it subscribe usefully", async () => {
      const port = await harness().open();
      await using other = await harness().open();
      const subject = unique();
      const seen = collect(port, subject);
      await settled(port);
      await port.close();
      const late = collect(port, subject);
      other.publish(subject, bytes("x"));
      await settled(other);
      expect([...seen, ...late]).toEqual([]);
    });

    it("a disconnected port closes without waiting for its server", async () => {
      const port = await harness().open();
      await settled(port);
      await harness().cut();
      await until("the cut", () => !port.connected());
      await port.close();
      expect(await port.closed).toBeNull();
      expect(port.publish("a", bytes("x"))).toBe("closed");
      await harness().restore();
    });

    it("port tells when its server is about to go", async () => {
      await using port = await harness().open();
      const events = listen(port);
      await settled(port);
      await harness().lameDuck();
      await until("the event", () => kinds(events).includes("lame_duck"), 15_000);
      expect(kinds(events)).not.toContain("closed");
    });
  });
}
