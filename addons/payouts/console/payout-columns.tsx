import type { ReviewPayout } from '../../../sdk/src/index.ts';
import { textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { t } from '../../../web/words.ts';
import { methodName, reasonOf, stateName, type PayoutStatus } from './payout-words.ts';
import { refusals } from './selection.ts';
import type { TabName } from './tabs.ts';

const kinds: Record<PayoutStatus, PillKind> = {
  pending: 'warn',
  created: 'accent',
  processing: 'accent',
  paid: 'good',
  failed: 'bad',
  cancel: 'plain',
};

export function StatePill({ status }: { status: PayoutStatus }) {
  return <Pill kind={kinds[status]}>{stateName(status)}</Pill>;
}

/** A tab whose payouts all have one state has no column for it. */
export function columnsOf(tab: TabName): Column<ReviewPayout>[] {
  return [
    {
      key: 'affiliate',
      label: t('console-payouts.affiliate'),
      phone: 'title',
      cell: (payout) => <Affiliate payout={payout} />,
    },
    textColumn('id', t('console-payouts.no'), 'none', ({ id }) => id),
    {
      key: 'code',
      label: t('console-payouts.code'),
      phone: 'none',
      cell: ({ coupon }) => <span class="payout-code">{coupon.code}</span>,
    },
    textColumn('method', t('console-payouts.method'), 'state', ({ method_type, method }) =>
      methodName(method_type, method),
    ),
    ...(tab === 'progress' ? [state()] : [requested(tab)]),
    ...(tab === 'review' ? [] : [updated(tab)]),
    {
      key: 'amount',
      label: t('console-payouts.amount'),
      isNumber: true,
      sort: 'amount',
      phone: 'aside',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ];
}

const updated = (tab: Exclude<TabName, 'review'>): Column<ReviewPayout> => ({
  key: 'updated',
  label: t(`console-payouts.updated.${tab}`),
  sort: 'updated',
  phone: 'detail',
  cell: ({ updated_at }) => <Moment date={updated_at} />,
});

const requested = (tab: TabName): Column<ReviewPayout> => ({
  key: 'created',
  label: t('console-payouts.requested'),
  sort: 'created',
  phone: tab === 'review' ? 'detail' : 'none',
  cell: ({ created_at }) => <Moment date={created_at} />,
});

const state = (): Column<ReviewPayout> => ({
  key: 'state',
  label: t('console-payouts.state'),
  phone: 'none',
  cell: ({ status, outcome_unknown_since: unknownSince }) =>
    unknownSince === null ? (
      <StatePill status={status} />
    ) : (
      <Pill kind="warn">{t('console-payouts.unknown')}</Pill>
    ),
});

/** The affiliate, and what prevents the payout. */
function Affiliate({ payout: { id, affiliate, failure } }: { payout: ReviewPayout }) {
  const problem = refusals.value.get(id) ?? (failure ? reasonOf(failure) : undefined);
  return (
    <>
      {affiliate.name} <span class="payout-login">{affiliate.login}</span>
      {problem !== undefined && <span class="payout-problem">{problem}</span>}
    </>
  );
}
