import {
  READ_DAYS_MAX,
  reportDimensions,
  reportKinds,
} from '../../../src/web-contract/report-dimensions.ts';
import type { Address } from '../../frame/address.ts';
import { daysAgo, daysBefore, storeToday } from '../../format.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';

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

/** The usual periods; others are chosen by their days. */
export function PeriodChoice({ address }: { address: Address }) {
  const { from, to } = periodOf(address);
  const current = lengths.find((days) => from === daysAgo(days - 1) && to === storeToday());
  return (
    <Segmented
      label={t('console-reports.period')}
      current={String(current ?? '')}
      options={lengths
        .filter((days) => !isLimited(address) || days <= READ_DAYS_MAX)
        .map((days) => ({
          value: String(days),
          label: t('console-reports.days', { count: days }),
        }))}
      hrefOf={(value) =>
        address.hrefOf({
          days: Number(value) === DEFAULT_DAYS ? undefined : value,
          from: undefined,
          to: undefined,
          page: undefined,
        })
      }
    />
  );
}
