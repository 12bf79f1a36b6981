import { active } from './addon-parts.ts';

/** What active add-ons know of an affiliate about whom the team decides. */
export const AffiliateNotes = ({ affiliateId }: { affiliateId: number }) =>
  active.map(
    ({ addon, beforeDecision: Notes }) => Notes && <Notes key={addon} affiliateId={affiliateId} />,
  );

/** What active add-ons say of an order. */
export const OrderNotes = ({ orderId }: { orderId: number }) =>
  active.map(({ addon, order: Notes }) => Notes && <Notes key={addon} orderId={orderId} />);
