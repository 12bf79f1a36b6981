import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { isAdmin } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { requireAffiliate } from '../../../src/modules/affiliates/index.ts';
import { findCouponsByUser } from '../../../src/modules/coupons/index.ts';
import { languageOf } from '../../../src/modules/web/index.ts';
import { countOwn, listOwnRows } from '../creative-rows.ts';
import { filesOf, OwnCreativeSchema, toShared } from '../creative-wire.ts';
import { linkOf, snippetsOf } from '../snippets.ts';
import { creativeKinds } from '../tables.ts';

export const listOwnCreatives = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/creatives',
  summary: 'The creatives of an affiliate, to be shared',
  description:
    'For admins and the affiliate itself. Newest first: those that the affiliate sees today, with its link and code. ' +
    'Without an active coupon there are none.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({
    kind: Type.Optional(StringEnum(creativeKinds, { description: 'Creatives of this kind.' })),
    coupon_id: Type.Optional(
      Id('The coupon whose link and code they have; by default the first active one.'),
    ),
    ...pageParameters,
  }),
  response: Type.Array(OwnCreativeSchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs, request }, { id, kind, coupon_id, ...page }) {
    if (!isAdmin(caller) && caller.person?.id !== id) throw new ApiError(generalErrors.notFound);
    await requireAffiliate(db, id);
    const active = (await findCouponsByUser(db, [id])).filter(({ status }) => status === 'active');
    const coupon = coupon_id ? active.find((one) => one.id === coupon_id) : active[0];
    if (coupon_id && !coupon) throw new ApiError(generalErrors.notFound);
    const filter = { user_id: id, today: site.calendar.dayOf(nowMs), kind };
    const total = coupon ? await countOwn(db, filter) : 0;
    return collection(page, total, async (slice) => {
      if (!coupon) return [];
      const rows = await listOwnRows(db, filter, slice);
      const files = await filesOf(db, site, rows);
      const reader = languageOf(site, request);
      return rows.map((row) => {
        const shared = toShared(row, files.get(row.file_id ?? 0) ?? null);
        const link = linkOf(site, row, coupon.code);
        const language = shared.language === '' ? reader : shared.language;
        const parts = { link, code: coupon.code, file: shared.file, language };
        return { ...shared, link, snippets: snippetsOf(row, parts) };
      });
    });
  },
});
