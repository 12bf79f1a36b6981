import { Tributary } from 'tributary-client';

const client = new Tributary({
  url: process.env.TRIBUTARY_URL,
  key: process.env.TRIBUTARY_KEY,
});

// One page, with the total of the whole list.
const { items, total } = await client.coupons.list({ status: 'active', per_page: 5 });
console.log(`${items.length} of ${total} coupons`);

// All pages, each fetched when the loop reaches it.
for await (const coupon of client.coupons.list({ status: 'active' })) {
  const { referral_url } = await client.coupons.get(coupon.id);
  console.log(coupon.code, coupon.unpaid_commission, referral_url);
}
