import { Link, useSearchParams } from 'wouter-preact';
import type { AffiliateBalance, PayoutCheck } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatDate, formatMoney } from '../../format.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Money } from '../../ui/money.tsx';
import { hasWord, t } from '../../words.ts';
import { withQuery } from '../../frame/navigation.ts';
import { methodName } from '../method-name.ts';
import './request-card.css';

type CouponBalance = AffiliateBalance['coupons'][number];

/** Codes without money say the same thing each, so that one of them is enough. */
function worthShowing(coupons: readonly CouponBalance[]): readonly CouponBalance[] {
  const moving = coupons.filter(({ available, on_its_way }) => available > 0 || on_its_way > 0);
  const shown = moving.length > 0 ? moving : coupons.slice(0, 1);
  return shown.toSorted((a, b) => b.available - a.available);
}

const SHOWN_AT_FIRST = 3;

/** What can be withdrawn, by code; where nothing can, every reason and the way out of it. */
export function RequestCard({ balance }: { balance: AffiliateBalance }) {
  const [query] = useSearchParams();
  const coupons = worthShowing(balance.coupons);
  const isLong = coupons.length > SHOWN_AT_FIRST && !query.has('all');
  return (
    <Card title={t('portal.pool.available')}>
      {coupons.length > 1 && (
        <p class="request-amount">
          <Money amount={balance.available} />
        </p>
      )}
      <ul class="request-list">
        {(isLong ? coupons.slice(0, SHOWN_AT_FIRST) : coupons).map((coupon, position) => (
          <li key={coupon.id}>
            <CouponRequest coupon={coupon} isOnly={coupons.length === 1} isFirst={position === 0} />
          </li>
        ))}
      </ul>
      {isLong && (
        <p>
          <Link href={withQuery('/app/money', query.toString(), { all: '1' })}>
            {t('portal.money.showAllCodes', { count: coupons.length })}
          </Link>
        </p>
      )}
    </Card>
  );
}

interface CouponRequestProps {
  coupon: CouponBalance;
  isOnly: boolean;
  /** A screen has one primary action: the largest amount. */
  isFirst: boolean;
}

function CouponRequest({ coupon, isOnly, isFirst }: CouponRequestProps) {
  const { id } = coupon;
  const { data, error, retry } = useData('payouts', { id, part: 'check' }, () =>
    api.coupons.payoutCheck(id),
  );
  const [query] = useSearchParams();
  const { isView } = useSession();
  return (
    <div class="request-coupon">
      {isOnly ? (
        <p class="request-amount">
          <Money amount={coupon.available} />
        </p>
      ) : (
        <p class="request-line">
          <span>{coupon.code}</span> <Money amount={coupon.available} />
        </p>
      )}
      {!data && <Pending error={error} retry={retry} lines={1} height="2.75rem" />}
      {data?.possible && !isView && (
        <Link
          class="button"
          data-kind={isFirst ? 'primary' : 'quiet'}
          href={withQuery('/app/money', query.toString(), { request: String(coupon.id) })}
        >
          {t('portal.money.request')}
          {!isOnly && <span class="visually-hidden"> {coupon.code}</span>}
        </Link>
      )}
      {data && !data.possible && <Problems check={data} />}
    </div>
  );
}

/** A payout under way, else an empty balance, explains the other problems of the amount. */
function shownProblems({ problems }: PayoutCheck): PayoutCheck['problems'] {
  const under = problems.filter(({ code }) => code === 'svc_api_in_progress');
  if (under.length > 0) return under;
  const isEmpty = problems.some(({ code }) => code === 'svc_api_no_balance');
  return problems.filter(({ code }) => !(isEmpty && code === 'svc_api_below_threshold'));
}

function Problems({ check }: { check: PayoutCheck }) {
  return (
    <ul class="request-problems">
      {shownProblems(check).map((problem) => (
        <li key={problem.code}>
          <Problem problem={problem} check={check} />
        </li>
      ))}
      {check.possible_from && (
        <li>{t('portal.money.possibleFrom', { date: formatDate(check.possible_from, 'day') })}</li>
      )}
    </ul>
  );
}

/** The way out of a problem, where there is one that the person can go. */
const waysOut: Record<string, 'details'> = {
  svc_api_no_payout_details: 'details',
  svc_api_method_disabled: 'details',
};

function Problem({
  problem,
  check,
}: {
  problem: PayoutCheck['problems'][number];
  check: PayoutCheck;
}) {
  const { program, isView } = useSession();
  const { code, message, data } = problem;
  const key = `portal.problem.${code}`;
  const values = {
    minimum: formatMoney(check.minimum),
    missing: formatMoney(Number(data['missing'] ?? 0)),
    method: methodName(check),
    store: program.name,
  };
  return (
    <>
      {hasWord(key) ? t(key, values) : message}{' '}
      {waysOut[code] === 'details' && !isView && (
        <Link href="/app/payout-details?change=1">{t('portal.money.toDetails')}</Link>
      )}
      {check.open_payout_id !== null && code === 'svc_api_in_progress' && (
        <Link href={`/app/money?payout=${check.open_payout_id}`}>{t('portal.money.toPayout')}</Link>
      )}
    </>
  );
}
