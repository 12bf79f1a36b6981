import { formatNumber } from '../words.ts';
import type { Column } from './data-table.tsx';
import { Moment } from './moment.tsx';
import { Money } from './money.tsx';

type Place = Column<unknown>['phone'];

/** A column of amounts. */
export function moneyColumn<Row>(
  key: string,
  label: string,
  phone: Place,
  amountOf: (row: Row) => number,
): Column<Row> {
  return { key, label, phone, isNumber: true, cell: (row) => <Money amount={amountOf(row)} /> };
}

/** A column of counts. */
export function numberColumn<Row>(
  key: string,
  label: string,
  phone: Place,
  countOf: (row: Row) => number,
): Column<Row> {
  return { key, label, phone, isNumber: true, cell: (row) => formatNumber(countOf(row)) };
}

/** A column of dates, today by the time; a row without one has a dash. */
export function dateColumn<Row>(
  key: string,
  label: string,
  phone: Place,
  dateOf: (row: Row) => string | null,
): Column<Row> {
  const cell = (row: Row) => {
    const date = dateOf(row);
    return date === null ? '–' : <Moment inLog date={date} />;
  };
  return { key, label, phone, cell };
}

/** The same column, sorted by `sort` of the API. */
export function sortedBy<Row>(sort: string, column: Column<Row>): Column<Row> {
  return { ...column, sort };
}
