import type { Address } from '../../frame/address.ts';
import { daysAgo, storeToday } from '../../format.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';

const lengths = [7, 30, 90, 365] as const;
const DEFAULT_DAYS = 30;

export interface Period {
  from: string;
  to: string;
}

/** The period of the address: `from` and `to`, or the last 30 days. */
export function periodOf(address: Address): Period {
  const to = address.get('to') || storeToday();
  return { from: address.get('from') || daysAgo(DEFAULT_DAYS - 1), to };
}

/** The usual periods; others are chosen by their days. */
export function PeriodChoice({ address }: { address: Address }) {
  const { from, to } = periodOf(address);
  const current = lengths.find((days) => from === daysAgo(days - 1) && to === storeToday());
  return (
    <Segmented
      label={t('console-reports.period')}
      current={String(current ?? '')}
      options={lengths.map((days) => ({
        value: String(days),
        label: t('console-reports.days', { count: days }),
      }))}
      hrefOf={(value) =>
        address.hrefOf({
          from: Number(value) === DEFAULT_DAYS ? undefined : daysAgo(Number(value) - 1),
          to: undefined,
          page: undefined,
        })
      }
    />
  );
}
