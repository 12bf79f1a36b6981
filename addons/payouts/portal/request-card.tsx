import { Link } from 'wouter-preact';
import type { AffiliateBalance, PayoutCheck } from '../../../sdk/src/index.ts';
import { formatDate, formatMoney } from '../../../web/format.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { useSession } from '../../../web/session.ts';
import { Card } from '../../../web/ui/card.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Fitting } from '../../../web/ui/fitting.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { hasWord, t } from '../../../web/words.ts';
import { methodName } from '../../../web/portal/method-name.ts';
import { sumOf, usePayoutChecks, type CouponBalance } from './payout-checks.ts';
import './request-card.css';

/** As many as are requested at once; the largest amounts come first. */
const COUPONS_MAX = 20;

/** Codes without money say the same thing each, so that one of them is enough. */
function worthShowing(coupons: readonly CouponBalance[]): readonly CouponBalance[] {
  const moving = coupons.filter(({ available, on_its_way }) => available > 0 || on_its_way > 0);
  const shown = moving.length > 0 ? moving : coupons.slice(0, 1);
  return shown.toSorted((a, b) => b.available - a.available).slice(0, COUPONS_MAX);
}

/** What can be withdrawn, in one sum; for codes where nothing can, every reason and the way out of it. */
export function RequestCard({ balance }: { balance: AffiliateBalance }) {
  const { isView } = useSession();
  const { hrefOf } = useAddress('/app/money');
  const coupons = worthShowing(balance.coupons);
  const { data, error, retry } = usePayoutChecks(coupons.map(({ id }) => id));
  const payable = data?.filter(({ possible }) => possible) ?? [];
  const ids = payable.map(({ coupon_id }) => coupon_id);
  return (
    <Card title={t('portal-money.pool.available')}>
      <p class="request-amount">
        <Fitting text={formatMoney(balance.available)} />
      </p>
      {!data && <Pending error={error} retry={retry} lines={1} height="2.75rem" />}
      {payable.length > 0 && !isView && (
        <p class="request-action">
          <Link class="button" data-kind="primary" href={hrefOf({ request: ids.join() })}>
            {t('portal-money.request')}
          </Link>
          {sumOf(payable) < balance.available && (
            <span class="muted">
              {t('portal-money.requestable', { amount: formatMoney(sumOf(payable)) })}
            </span>
          )}
        </p>
      )}
      {data && <Refusals coupons={coupons} checks={data} />}
    </Card>
  );
}

interface RefusalsProps {
  coupons: readonly CouponBalance[];
  checks: readonly PayoutCheck[];
}

/** Codes with the same reason are named together. */
function Refusals({ coupons, checks }: RefusalsProps) {
  const refused = checks.filter(({ possible }) => !possible);
  if (refused.length === 0) return null;
  const reasonOf = (check: PayoutCheck) =>
    JSON.stringify([shownProblems(check), check.possible_from]);
  return (
    <ul class="request-list">
      {[...Map.groupBy(refused, reasonOf)].map(([reason, [first, ...others]]) => (
        <li key={reason}>
          {coupons.length > 1 &&
            [first!, ...others].map((check) => (
              <p key={check.coupon_id} class="request-line">
                <span>{coupons.find(({ id }) => id === check.coupon_id)?.code}</span>{' '}
                <Money amount={check.amount} />
              </p>
            ))}
          <Problems check={first!} />
        </li>
      ))}
    </ul>
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
        <li>{t('portal-money.possibleFrom', { date: formatDate(check.possible_from, 'day') })}</li>
      )}
    </ul>
  );
}

/** Problems that other payout details solve. */
const detailsProblems = new Set(['svc_api_no_payout_details', 'svc_api_method_disabled']);

interface ProblemProps {
  problem: PayoutCheck['problems'][number];
  check: PayoutCheck;
}

function Problem({ problem: { code, message, data }, check }: ProblemProps) {
  const { program, isView } = useSession();
  const key = `portal-money.problem.${code}`;
  const values = {
    minimum: formatMoney(check.minimum),
    missing: formatMoney(Number(data['missing'] ?? 0)),
    method: methodName(check),
    store: program.name,
  };
  return (
    <>
      {hasWord(key) ? t(key, values) : message}{' '}
      {detailsProblems.has(code) && !isView && (
        <Link href="/app/payout-details?change=1">{t('portal.money.toDetails')}</Link>
      )}
      {check.open_payout_id !== null && code === 'svc_api_in_progress' && (
        <Link href={`/app/money?payout=${check.open_payout_id}`}>{t('portal-money.toPayout')}</Link>
      )}
    </>
  );
}
