import type { Static } from 'typebox';
import type { Reader } from '../../src/db/database.ts';
import { ApiError, generalErrors } from '../../src/kernel/declare/errors.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { findClickable } from '../../src/modules/clicks/index.ts';
import { findCouponsByUser } from '../../src/modules/coupons/index.ts';
import { findShownPage, listPagesOf, type PageRow } from './page-rows.ts';
import { type OwnPersonalPageSchema, toPage } from './page-wire.ts';
import { pagesEnabled, pagesReviewed } from './settings.ts';

/** The address of the page of a code. */
function pageUrl({ publicUrl }: Site, code: string): string {
  return `${publicUrl}/with/${encodeURIComponent(code)}`;
}

/** The versions of an affiliate, and what the store does with them. */
export async function readOwnPage(
  db: Reader,
  site: Site,
  userId: number,
): Promise<Static<typeof OwnPersonalPageSchema>> {
  const { settings } = site;
  const [rows, coupons] = await Promise.all([
    listPagesOf(db, { user_id: userId }),
    findCouponsByUser(db, [userId]),
  ]);
  const coupon = coupons.find(({ status }) => status === 'active');
  const { shown, proposed } = versionsOf(rows);
  return {
    enabled: settings.get(pagesEnabled),
    review: settings.get(pagesReviewed),
    url: coupon ? pageUrl(site, coupon.code) : null,
    shown: shown ? toPage(site, shown) : null,
    proposed: proposed ? toPage(site, proposed) : null,
  };
}

export function versionsOf(rows: readonly PageRow[]) {
  return {
    shown: rows.find(({ state }) => state === 'shown'),
    proposed: rows.find(({ state }) => state !== 'shown'),
  };
}

/** What visitors see at the address of a code: a page, unless the affiliate is suspended or has none. Throws 404 while pages are off. */
export async function pageOfCode(
  db: Reader,
  { settings }: Site,
  code: string,
): Promise<{
  coupon: { code: string };
  page: Pick<PageRow, 'name' | 'text' | 'language' | 'file_id'> | undefined;
}> {
  const coupon = settings.get(pagesEnabled) ? await findClickable(db, { code }) : undefined;
  if (!coupon) throw new ApiError(generalErrors.notFound);
  return { coupon, page: await findShownPage(db, { coupon_id: coupon.id }) };
}
