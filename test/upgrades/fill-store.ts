/** Sends a request, with a key that may do everything, and returns the body of a 2xx response. */
export type Api = (
  method: string,
  path: string,
  body?: object,
  isAnonymous?: boolean,
) => Promise<any>;

/** Fills a store with a few rows of every kind, through the API that all releases have. */
export async function fillStore(api: Api): Promise<void> {
  const store = '/svc/store/v1';
  const v2 = '/svc/v2';
  await api('PATCH', `${store}/settings`, { 'attribution.lifetime': true });
  await api('POST', `${store}/groups`, { name: 'Gold', percent_override: '15' });
  const affiliates: { id: number; coupon_id: number }[] = [];
  for (const [name, code] of [
    ['Amara', 'AMARA10'],
    ['Bruno', 'BRUNO10'],
    ['Chloé', 'CHLOE10'],
  ]) {
    const made = await api('POST', `${store}/affiliates`, {
      login: code!.toLowerCase(),
      display_name: name,
      email: `${code!.toLowerCase()}@affiliates.example`,
      groups: code === 'AMARA10' ? ['Gold'] : [],
      coupon: { code },
    });
    const [coupon] = await api('GET', `${v2}/coupons?user_id=${made.id}`);
    affiliates.push({ id: made.id, coupon_id: coupon.id });
  }
  const [amara, bruno, chloe] = affiliates as [
    (typeof affiliates)[0],
    (typeof affiliates)[0],
    (typeof affiliates)[0],
  ];
  await api('PUT', `${store}/affiliates/${bruno.id}/parent`, { parent_id: amara.id });
  await api('POST', `${store}/coupons`, { code: 'NOBODYS' });
  await api('POST', `${v2}/webhooks`, {
    name: 'Ledger',
    url: 'https://receiver.example.com/hook',
    events: ['referral.created', 'payout.paid'],
  });
  await api('POST', `${store}/clicks`, [
    { code: 'AMARA10', campaign: 'spring' },
    { code: 'BRUNO10', campaign: '' },
  ]);
  const orders = ['AMARA10', 'BRUNO10', 'BRUNO10', 'CHLOE10', 'NOBODYS'].map((code, i) => ({
    order_id: 1001 + i,
    date: `2026-0${i + 1}-15T12:00:00Z`,
    status: i === 2 ? 'processing' : 'completed',
    total: 100 + i,
    coupon_codes: [code],
    customer: { id: 501 + i, email: `customer${i}@store.example` },
    items: [{ product_id: 7, quantity: 1, subtotal: 100 + i, total: 100 + i }],
  }));
  await api('POST', `${store}/orders/batch`, { orders });
  const { order_id: _, ...refunded } = { ...orders[3]!, refunds: [{ id: 1, amount: 20 }] };
  await api('PUT', `${store}/orders/1004`, refunded);
  await api('POST', `${store}/coupons/${chloe.coupon_id}/adjustments`, {
    amount: 5,
    note: 'Welcome',
  });
  for (const { id } of affiliates) {
    await api('PUT', `${store}/affiliates/${id}/payout-details`, {
      method_type: 'banktransfer',
      details: { account_holder: 'Amara Abara', iban: 'DE89370400440532013000' },
    });
  }
  const payout = await api('POST', `${v2}/payouts`, { coupon_id: amara.coupon_id });
  await api('POST', `${v2}/payouts/${payout.id}/status`, { status: 'paid' });
  await api('POST', `${v2}/payouts`, { coupon_id: chloe.coupon_id });
  for (const name of ['Dmitri', 'Elif']) {
    const application = {
      login: name.toLowerCase(),
      email: `${name.toLowerCase()}@applicants.example`,
      display_name: name,
    };
    await api('POST', `${store}/registrations`, application, true);
  }
  const [registration] = await api('GET', `${v2}/registrations`);
  await api('POST', `${v2}/registrations/${registration.id}/status`, { status: 'accepted' });
}
