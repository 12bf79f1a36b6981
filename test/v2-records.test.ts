import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from './support/harness.ts';

/** The fields of the specification and of the decisions about it. What is ours alone belongs to the store namespace. */
const records: Record<string, string> = {
  User: 'id display_name login email',
  Coupon:
    'id code user_id status date_created unpaid_commission pending_order_commission pending_payout_commission paid_commission',
  CouponFigures:
    'orders_count total_sales total_discount total_shipping total_commission upline_commission last_refreshed',
  ReferredOrder:
    'order_id date status currency order_currency exchange_rate external_id total discount commission refunded credited_via',
  Registration:
    'id user coupon_code status type promote referrer website custom_fields message date date_accepted date_declined',
  ApiKey: 'id user_id description key_prefix scopes status last_used date_created date_expires',
  ClickStats: 'coupon_id campaign from to clicks conversions conversion_rate',
  Payout:
    'id user coupon_id coupon_code amount method method_type status has_details transaction_id invoice_id date date_paid failure_reason',
  Webhook: 'id name url events status failures last_delivery last_error date_created',
  WebhookEvent: 'event description',
};

test('the records of v2 have the fields that are decided, and no others', async () => {
  const app = await openTestApp();
  const { body } = await app.call('/openapi');
  for (const [name, fields] of Object.entries(records)) {
    const schema = body.components.schemas[name];
    const shown = Object.keys(schema.properties);
    assert.deepEqual(shown, fields.split(' '), name);
  }
});
