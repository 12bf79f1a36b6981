import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import './data-table.css';

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  readonly isNumber?: boolean;
  /** Where a phone shows it on the row's card: `title` and `aside` above, `detail` and `state` below. */
  readonly phone: 'title' | 'aside' | 'detail' | 'state' | 'none';
  cell(row: Row): ComponentChildren;
}

interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  /** The address that a tap anywhere on the row opens. The `title` column becomes the link. */
  hrefOf?: (row: Row) => string;
  /** The data is of an earlier time. */
  stale?: boolean;
}

/** A table, on a phone a list of cards. The roles stay, because browsers drop them with another display. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, hrefOf, stale = false } = props;
  return (
    <table class="data-table" role="table" data-stale={stale} data-links={hrefOf !== undefined}>
      <caption class="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ key, label, isNumber }) => (
            <th key={key} role="columnheader" scope="col" data-number={isNumber}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ key, isNumber, phone, cell }) => (
              <td key={key} role="cell" data-number={isNumber} data-phone={phone}>
                {phone === 'title' && hrefOf ? (
                  <Link href={hrefOf(row)}>{cell(row)}</Link>
                ) : (
                  cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
