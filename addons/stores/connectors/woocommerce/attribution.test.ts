import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attributed } from '../../test/woocommerce/recorded.ts';
import type { MappingContext } from '../connector.ts';
import { attributionOf, completeLink } from './attribution.ts';
import { toOrder } from './to-order.ts';

const context: MappingContext = {
  canAsk: true,
  isComplete: false,
  codeParameters: ['ref'],
  settings: {},
  currency: 'USD',
};

/** The link that a recorded order is credited to. */
function linkOf(order: Record<string, any>) {
  const mapped = toOrder(order, context, 'order.updated');
  assert.equal(mapped.result, 'order');
  const { referral_code, click_id, visitor } = mapped.order;
  return [referral_code, click_id, visitor];
}

const metaOf = (values: Record<string, unknown>) => ({
  meta_data: Object.entries(values).map(([key, value], id) => ({ id, key, value })),
});

const visit = (values: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`_wc_order_attribution_${name}`, value]),
  );

/** What WooCommerce records after `/r/ADA10`. */
const afterLink = (code: string, click = 16) =>
  visit({
    source_type: 'utm',
    utm_source: 'tributary',
    utm_medium: 'affiliate',
    utm_campaign: code,
    session_entry: `https://shop.test/?visitor=v-${click}&click_id=${click}&ref=${code}&utm_source=tributary`,
  });
const ofPlugin = (code: string, click = '18') => ({
  _tributary_code: code,
  _tributary_click_id: click,
  _tributary_visitor: 'v-18',
});

describe('recorded orders', () => {
  const expected: Record<string, unknown[]> = {
    '239-link-first-page': ['ADA10', undefined, undefined],
    // What the shop itself records says nothing about these three.
    '241-link-browser-closed-returned': [undefined, undefined, undefined],
    '242-shop-open-then-link': [undefined, undefined, undefined],
    '244-shop-open-then-blog-link': [undefined, undefined, undefined],
    '243-two-links-first-kept': ['ADA10', 4, 'reeD97HAHIYzeLCgvSjtBZ'],
    '248-deep-link-first-page': ['BOB15', undefined, undefined],
    '494-shop-open-then-link-with-utm': ['ADA10', 16, '-CCJ85VjhBL8t3geBUsuG9'],
    '495-two-links-with-utm-last-kept': ['BOB15', 18, 'zsgqKB7klBGTRDX9MOqkL7'],
  };

  test('name the link that the shop has recorded', () => {
    const actual = Object.fromEntries(attributed.map(({ name, order }) => [name, linkOf(order)]));
    assert.deepEqual(actual, expected);
  });

  test('with the plugin, all of them name the link that it has stored', () => {
    for (const { name, order } of attributed) {
      const meta = metaOf(ofPlugin('BOB15')).meta_data;
      const withPlugin = { ...order, meta_data: [...order['meta_data'], ...meta] };
      assert.deepEqual(linkOf(withPlugin), ['BOB15', 18, 'v-18'], name);
    }
  });
});

describe('the link of an order', () => {
  const of = (values: Record<string, unknown>, fields = {}) =>
    attributionOf({ ...metaOf(values), ...fields }, context);

  test('is that of the campaign, with the click of its landing page', () => {
    const ada = { referral_code: 'ADA10', click_id: 16, visitor: 'v-16' };
    assert.deepEqual(of(afterLink('ADA10')), ada);
    const bare = visit({ session_entry: 'https://shop.test/en/' });
    assert.deepEqual(of({ ...afterLink('ADA10'), ...bare }), { referral_code: 'ADA10' });
    const other = visit({ session_entry: 'https://shop.test/?ref=BOB15&click_id=2' });
    assert.deepEqual(of({ ...afterLink('ADA10'), ...other }), { referral_code: 'ADA10' });
  });

  test('is never a campaign of others', () => {
    const entry = { referral_code: 'ADA10', click_id: 16, visitor: 'v-16' };
    const spring = visit({ utm_campaign: 'spring' });
    for (const others of [visit({ utm_source: 'news' }), visit({ utm_medium: 'email' })]) {
      assert.deepEqual(of({ ...afterLink('ADA10'), ...spring, ...others }), entry);
    }
    const long = visit({ utm_campaign: 'c'.repeat(51) });
    assert.deepEqual(of({ ...afterLink('ADA10'), ...long }), entry);
  });

  test('is that of the plugin alone, where there is one: no click of another link', () => {
    assert.deepEqual(of({ ...afterLink('ADA10'), ...ofPlugin('BOB15', '') }), {
      referral_code: 'BOB15',
      visitor: 'v-18',
    });
    // Meta that other programs wrote, in shapes that the plugin does not write.
    for (const odd of [['BOB15'], { a: 1 }, null, '']) {
      const meta = { ...afterLink('ADA10'), ...ofPlugin('', ''), _tributary_code: odd };
      assert.equal(of(meta).referral_code, 'ADA10', JSON.stringify(odd));
    }
  });

  test('is that of the first order for the renewal of a subscription, which has its meta', () => {
    assert.equal(of(ofPlugin('BOB15'), { created_via: 'subscription' }).referral_code, 'BOB15');
  });
});

test('a link gets campaign parameters, and keeps its own', () => {
  const completed = (search: string) => {
    const parameters = new URLSearchParams(search);
    completeLink(parameters, 'ADA10');
    return parameters.toString();
  };
  const ours = 'utm_source=tributary&utm_medium=affiliate&utm_campaign=ADA10';
  assert.equal(completed('ref=ADA10'), `ref=ADA10&${ours}`);
  assert.equal(
    completed('utm_source=ada'),
    'utm_source=ada&utm_medium=affiliate&utm_campaign=ADA10',
  );
  // Not a code, so the source does not say that it is one.
  assert.equal(completed('utm_campaign=spring'), 'utm_campaign=spring&utm_medium=affiliate');
  const own = 'utm_source=a&utm_medium=b&utm_campaign=c';
  assert.equal(completed(own), own);
});
