import { ConnectionError, hasCode, TimeoutError, Tributary } from 'tributary-client';

const client = new Tributary({
  url: process.env.TRIBUTARY_URL,
  key: process.env.TRIBUTARY_KEY,
});

try {
  const order = await client.orders.set(1042, {
    date: '2026-01-20T14:05:09Z',
    status: 'completed',
    total: Number(process.argv[2]),
    coupon_codes: ['MAYA10'],
  });
  console.log(`Order 1042: ${order.referrals.length} referral(s)`);
} catch (error) {
  if (hasCode(error, 'rest_invalid_param', 'rest_missing_callback_param')) {
    console.error('Not accepted:', error.params); // { total: 'must be >= 0' }
  } else if (hasCode(error, 'svc_api_rate_limited')) {
    console.error(`Too many requests: try again in ${error.retryAfter} s`);
  } else if (error instanceof ConnectionError || error instanceof TimeoutError) {
    console.error('No answer, after several attempts:', error.message);
  } else {
    throw error;
  }
}
