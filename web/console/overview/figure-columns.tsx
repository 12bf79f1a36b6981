import type { Column } from '../../ui/data-table.tsx';
import { Money } from '../../ui/money.tsx';
import { formatNumber, t } from '../../words.ts';

interface Figures {
  readonly orders: number;
  readonly sales: number;
  readonly commission: number;
}

/** Orders, sales and commission. On a phone, one amount is next to the title, the other below it with its name. */
export function figureColumns<Row extends Figures>(beside: 'sales' | 'commission'): Column<Row>[] {
  const money = (name: 'sales' | 'commission'): Column<Row> => ({
    key: name,
    label: t(`console-overview.figure.${name}`),
    isNumber: true,
    phone: name === beside ? 'aside' : 'state',
    cell: (row) => (
      <>
        <span class="phone-only muted">{t(`console-overview.figure.${name}`)} </span>
        <Money amount={row[name]} />
      </>
    ),
  });
  return [
    {
      key: 'orders',
      label: t('console-overview.figure.orders'),
      isNumber: true,
      phone: 'detail',
      // On a phone the heads of the columns are not visible, so the card names its number.
      cell: ({ orders }) => (
        <>
          <span class="desktop-only">{formatNumber(orders)}</span>
          <span class="phone-only">{t('console-overview.orders', { count: orders })}</span>
        </>
      ),
    },
    money('sales'),
    money('commission'),
  ];
}
