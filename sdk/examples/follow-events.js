import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Tributary } from 'tributary-client';

const client = new Tributary({
  url: process.env.TRIBUTARY_URL,
  key: process.env.TRIBUTARY_KEY,
});
const file = 'cursor.txt';
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

const events = client.events.follow({
  after: existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0,
  signal: stopping.signal,
  // Called when an event has been processed.
  onCursor: (cursor) => writeFileSync(file, String(cursor)),
});
for await (const event of events) {
  if (event.event === 'coupon.created') console.log(`New coupon ${event.data.coupon_id}`);
}
