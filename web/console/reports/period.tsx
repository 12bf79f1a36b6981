import type { ComponentChildren } from 'preact';
import { useLocation } from 'wouter-preact';
import {
  READ_DAYS_MAX,
  reportDimensions,
  reportKinds,
} from '../../../src/web-contract/report-dimensions.ts';
import type { Address } from '../../frame/address.ts';
import { daysAgo, daysBefore, storeToday } from '../../format.ts';
import { DateFields } from '../../ui/filter-bar.tsx';
import { t } from '../../words.ts';
import './period.css';

const lengths = [7, 30, 90, 365] as const;
const DEFAULT_DAYS = 30;

export interface Period {
  from: string;
  to: string;
}

/**
 * The period of the address: `from` and `to`, or the last `days`, 30 if it has none of them. A view that is saved with
 * `days` ends today whenever it is opened.
 */
export function periodOf(address: Address): Period {
  const { from, to } = namedPeriod(address);
  const first = daysBefore(to, READ_DAYS_MAX - 1);
  return { from: isLimited(address) && from < first ? first : from, to };
}

/** These reports read the orders of their period, so the service limits it. */
const isLimited = (address: Address) =>
  reportDimensions[address.oneOf('by', reportKinds) ?? 'day'].readsOrders === true;

function namedPeriod(address: Address): Period {
  const days = lengths.find((one) => String(one) === address.get('days')) ?? DEFAULT_DAYS;
  const to = address.get('to') || storeToday();
  return { from: address.get('from') || daysAgo(days - 1), to };
}

const OWN = 'own';

/** Beside the heading: the period, and what can be done with its figures. */
export function PeriodBar({
  address,
  children,
}: {
  address: Address;
  children: ComponentChildren;
}) {
  return (
    <div class="filter-bar period-bar">
      <PeriodChoice address={address} />
      <span class="filter-end">{children}</span>
    </div>
  );
}

/** The usual periods, and one by its days. */
function PeriodChoice({ address }: { address: Address }) {
  const [, navigate] = useLocation();
  const { from, to } = periodOf(address);
  const isOwn = address.get('from') !== '' || address.get('to') !== '';
  const current = lengths.find((days) => from === daysAgo(days - 1) && to === storeToday());
  const choose = (value: string) =>
    navigate(
      address.hrefOf({
        days: value === OWN || Number(value) === DEFAULT_DAYS ? undefined : value,
        from: value === OWN ? from : undefined,
        to: value === OWN ? to : undefined,
        page: undefined,
      }),
    );
  return (
    <>
      <select
        aria-label={t('console-reports.period')}
        value={isOwn || current === undefined ? OWN : String(current)}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {lengths
          .filter((days) => !isLimited(address) || days <= READ_DAYS_MAX)
          .map((days) => (
            <option key={days} value={String(days)}>
              {t('console-reports.days', { count: days })}
            </option>
          ))}
        <option value={OWN}>{t('console-reports.ownPeriod')}</option>
      </select>
      {isOwn && <DateFields address={address} />}
    </>
  );
}
