import './browser-globals.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { h, render, type ContainerNode } from 'preact';
import { ConnectionError, TributaryError } from '../../sdk/src/index.ts';
import { connection, refresh, useData, type Loaded } from '../../web/data.ts';
import { eventually } from '../support/eventually.ts';

/** The components of these tests show nothing, so they need no document. */
const place = () =>
  // The only properties of a container that Preact reads.
  ({ nodeType: 1, childNodes: [], firstChild: null, namespaceURI: '' }) as unknown as ContainerNode;
const places: ContainerNode[] = [];
afterEach(() => {
  for (const one of places.splice(0)) render(null, one);
});

/** A component that uses `useData`: what it has seen, how often it has loaded, and how to change or remove it. */
function show(input: Record<string, unknown> | undefined, load: () => Promise<unknown>) {
  const shown = { now: undefined as Loaded<unknown> | undefined, loads: 0 };
  const Reader = ({ asked }: { asked: typeof input }) => {
    shown.now = useData('coupons', asked, () => {
      shown.loads += 1;
      return load();
    });
    return null;
  };
  const at = place();
  places.push(at);
  const use = (asked: typeof input) => render(h(Reader, { asked }), at);
  use(input);
  return { shown, use, remove: () => render(null, at) };
}

const answer = (value: unknown) => () => Promise.resolve(value);
const loaded = (one: ReturnType<typeof show>, data: unknown) =>
  eventually(() => assert.deepEqual(one.shown.now?.data, data));

describe('data', () => {
  test('is loading, then there; without an input nothing is loaded', async () => {
    const one = show({ id: 'first' }, answer('A'));
    assert.deepEqual([one.shown.now?.loading, one.shown.now?.data], [true, undefined]);
    await loaded(one, 'A');
    assert.equal(one.shown.now?.loading, false);
    const none = show(undefined, answer('B'));
    assert.equal(none.shown.now?.loading, false);
    assert.equal(none.shown.loads, 0);
  });

  test('of the same input is loaded once, whatever shows it', async () => {
    const first = show({ id: 'shared' }, answer('A'));
    const second = show({ id: 'shared' }, answer('A'));
    await loaded(first, 'A');
    await loaded(second, 'A');
    assert.equal(first.shown.loads + second.shown.loads, 1);
  });

  test('of an earlier input stays, marked as stale, until the next is there', async () => {
    let finish = (_value: string) => {};
    const one = show({ page: 1 }, () => new Promise<string>((resolve) => (finish = resolve)));
    await eventually(() => assert.equal(one.shown.loads, 1));
    finish('page 1');
    await loaded(one, 'page 1');
    one.use({ page: 2 });
    assert.deepEqual([one.shown.now?.data, one.shown.now?.stale], ['page 1', true]);
    await eventually(() => assert.equal(one.shown.loads, 2));
    finish('page 2');
    await loaded(one, 'page 2');
    assert.equal(one.shown.now?.stale, false);
  });

  test('is refreshed by family, or by the values of its input', async () => {
    const one = show({ id: 7, part: 'notes' }, answer('notes'));
    const other = show({ id: 8 }, answer('other'));
    await loaded(one, 'notes');
    await loaded(other, 'other');
    await refresh(['coupons', { id: 7 }]);
    assert.deepEqual([one.shown.loads, other.shown.loads], [2, 1]);
    await refresh(['coupons', { id: 7, part: 'orders' }], 'orders');
    assert.deepEqual([one.shown.loads, other.shown.loads], [2, 1]);
    await refresh('coupons');
    assert.deepEqual([one.shown.loads, other.shown.loads], [3, 2]);
  });

  test('that no component shows stays for the way back, until 50 others were shown', async () => {
    const visit = async (id: number) => {
      const one = show({ visit: id }, answer(id));
      await eventually(() => assert.equal(one.shown.now?.data, id));
      one.remove();
      return one.shown.loads;
    };
    assert.equal(await visit(0), 1);
    assert.equal(await visit(0), 0);
    for (let id = 1; id <= 50; id += 1) await visit(id);
    assert.equal(await visit(0), 1);
    assert.equal(await visit(50), 0);
  });

  test('that fails passingly says so, and is loaded again when the browser is online', async () => {
    let isDown = true;
    const one = show({ id: 'failing' }, () =>
      isDown ? Promise.reject(new ConnectionError('lost')) : Promise.resolve('back'),
    );
    await eventually(() => assert.equal(connection.value, 'failing'));
    assert.ok(one.shown.now?.error instanceof ConnectionError);
    isDown = false;
    dispatchEvent(new Event('online'));
    await loaded(one, 'back');
    assert.equal(connection.value, 'good');
  });

  test('that is refused because of the limit says so, and is loaded again', async () => {
    const facts = { status: 429, data: { status: 429 }, requestId: undefined, retryAfter: 60 };
    let isLimited = true;
    const one = show({ id: 'limited' }, () =>
      isLimited
        ? Promise.reject(new TributaryError('svc_api_rate_limited', 'Too many requests.', facts))
        : Promise.resolve('back'),
    );
    await eventually(() => assert.equal(connection.value, 'limited'));
    isLimited = false;
    dispatchEvent(new Event('focus'));
    await loaded(one, 'back');
    assert.equal(connection.value, 'good');
  });
});
