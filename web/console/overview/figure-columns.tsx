import { moneyColumn, numberColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { t } from '../../words.ts';

interface Figures {
  readonly orders: number;
  readonly sales: number;
  readonly commission: number;
}

/** Orders, sales and commission. On a phone, one amount is next to the title, the other below it. */
export function figureColumns<Row extends Figures>(beside: 'sales' | 'commission'): Column<Row>[] {
  const money = (name: 'sales' | 'commission') =>
    moneyColumn<Row>(
      name,
      t(`console-overview.figure.${name}`),
      name === beside ? 'aside' : 'state',
      (row) => row[name],
    );
  return [
    numberColumn('orders', t('console-overview.figure.orders'), 'detail', ({ orders }) => orders),
    money('sales'),
    money('commission'),
  ];
}
