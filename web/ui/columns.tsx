import { formatNumber } from '../words.ts';
import type { Column } from './data-table.tsx';
import { Moment } from './moment.tsx';
import { Money } from './money.tsx';

type Place = Column<unknown>['phone'];

/** A column of amounts; a row without one has a dash. */
export function moneyColumn<Row>(
  key: string,
  label: string,
  phone: Place,
  amountOf: (row: Row) => number | null,
): Column<Row> {
  const cell = (row: Row) => {
    const amount = amountOf(row);
    return amount === null ? '–' : <Money amount={amount} />;
  };
  return { key, label, phone, isNumber: true, cell };
}

/** A column of counts, or of figures with a format of their own, such as a rate: these come as text. */
export function numberColumn<Row>(
  key: string,
  label: string,
  phone: Place,
  figureOf: (row: Row) => number | string | false,
): Column<Row> {
  const cell = (row: Row) => {
    const figure = figureOf(row);
    return typeof figure === 'number' ? formatNumber(figure) : figure;
  };
  return { key, label, phone, isNumber: true, cell };
}

/** A column of plain text. */
export function textColumn<Row>(
  key: string,
  label: string,
  phone: Place,
  textOf: (row: Row) => string | number | null | undefined,
): Column<Row> {
  return { key, label, phone, cell: textOf };
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

/** A column of dates in relation to today, such as "yesterday". */
export function relativeDateColumn<Row>(
  key: string,
  label: string,
  phone: Place,
  dateOf: (row: Row) => string,
): Column<Row> {
  return { key, label, phone, cell: (row) => <Moment date={dateOf(row)} /> };
}

/** The same column, sorted by `sort` of the API. */
export function sortedBy<Row>(sort: string, column: Column<Row>): Column<Row> {
  return { ...column, sort };
}
