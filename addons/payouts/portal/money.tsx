import { useSearchParams } from 'wouter-preact';
import type { AffiliateBalance } from '../../../sdk/src/index.ts';
import { useSession } from '../../../web/session.ts';
import { PayoutDialog } from './payout-dialog.tsx';
import { RequestDialog } from './request-dialog.tsx';

export { RequestCard as Above } from './request-card.tsx';
export { PayoutList as Below } from './payout-list.tsx';

/** The open dialog is part of the address. */
export function Dialogs({ balance }: { balance: AffiliateBalance | undefined }) {
  const { me, isView } = useSession();
  const [query] = useSearchParams();
  const numbersIn = (name: string) => (query.get(name) ?? '').split(',').map(Number);
  const requested =
    balance?.coupons.filter((coupon) => numbersIn('request').includes(coupon.id)) ?? [];
  const payoutIds = numbersIn('payout').filter((payoutId) => payoutId > 0);
  return (
    <>
      {requested.length > 0 && !isView && <RequestDialog coupons={requested} userId={me.user.id} />}
      {payoutIds.length > 0 && <PayoutDialog key={payoutIds.join()} ids={payoutIds} />}
    </>
  );
}
