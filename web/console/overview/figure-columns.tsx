import type { Column } from '../../ui/data-table.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../words.ts';
import { OrderCount } from './order-count.tsx';

interface Figures {
  readonly orders: number;
  readonly sales: number;
  readonly commission: number;
}

/** Orders, sales and commission. On a phone, one amount stands beside the title, the other below it. */
export function figureColumns<Row extends Figures>(beside: 'sales' | 'commission'): Column<Row>[] {
  const money = (name: 'sales' | 'commission'): Column<Row> => ({
    key: name,
    label: t(`console-overview.figure.${name}`),
    isNumber: true,
    phone: name === beside ? 'aside' : 'state',
    cell: (row) => <Money amount={row[name]} />,
  });
  return [
    {
      key: 'orders',
      label: t('console-overview.figure.orders'),
      isNumber: true,
      phone: 'detail',
      cell: ({ orders }) => <OrderCount count={orders} />,
    },
    money('sales'),
    money('commission'),
  ];
}
