import { setTimeout } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import { each, load, summaryOf } from './load.ts';
import { isWanted } from './options.ts';
import { requestBytes, send } from './request.ts';
import type { Collected } from './result.ts';
import { scale } from './scale.ts';
import { startFloor, startService } from './service.ts';
import { addWebhooks, emitEvents, install } from './webhooks.ts';

const STORE = '/svc/store/v1';
const PAUSE_MS = 20;
const { eventsFannedOut: EVENTS, webhooksFannedOutTo: WEBHOOKS } = scale;

/** Measures how long an order takes while the service sends many events to many webhooks, and while it sends none. */
export async function measureFanOut(
  engines: readonly Engine[],
  collected: Collected,
): Promise<void> {
  if (!isWanted('fan-out')) return;
  const receiver = await startFloor({ status: 204, headers: [], body: '' });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  for (const engine of engines) {
    const note = (name: string, value: number) =>
      collected.figure('fan-out', name, engine.name, value);
    for (const [name, webhooks] of [
      ['nothing is sent', 0],
      [`${EVENTS} events to ${WEBHOOKS} webhooks`, WEBHOOKS],
    ] as const) {
      const { p50Ms, p99Ms } = await measureOrders(engine, url, webhooks);
      note(`${name}, p50`, p50Ms);
      note(`${name}, p99`, p99Ms);
    }
  }
  await receiver.stop();
}

/** The service starts with events that it has yet to send: it takes longer to send them than the orders take. */
async function measureOrders(engine: Engine, url: string, webhooks: number) {
  const { app, store } = await install(engine);
  await addWebhooks(app, url, webhooks);
  if (webhooks > 0) await emitEvents(app.site, EVENTS);
  await app.close();
  const { port, stop } = await startService(store);
  const affiliate = { login: 'fan', email: 'fan@bench.example', coupon: { code: 'FAN' } };
  await send(port, store.token, 'POST', `${STORE}/affiliates`, affiliate);
  const took: number[] = [];
  for (let id = 1; id <= scale.ordersBesideFanOut; id += 1) {
    await setTimeout(PAUSE_MS);
    const order = { date: '2026-03-01T10:00:00Z', status: 'completed', total: 100 };
    const body = JSON.stringify({ ...order, coupon_codes: ['FAN'] });
    const request = requestBytes(store.token, 'PUT', `${STORE}/orders/${id}`, body);
    took.push((await load(port, each([request]), 1)).p50Ms);
  }
  await stop();
  await store.remove();
  return summaryOf(took, 0);
}
