import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { SelectAll, SelectOne, type Selection } from './selection.tsx';
import { SortLink, type Sorting } from './sorting.tsx';
import './data-table.css';

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  readonly isNumber?: boolean;
  /** The name of this column in `sort`. Its heading becomes a link. */
  readonly sort?: string;
  /**
   * Where a phone shows it on the row's card: `title` and `aside` above, `detail` and `state` below, and what can be done
   * about the row (`action`) last. Its element is above the link that covers the row.
   */
  readonly phone: 'title' | 'aside' | 'detail' | 'state' | 'action' | 'none';
  cell(row: Row): ComponentChildren;
}

interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  /** The address that a tap anywhere on the row opens. The `title` column becomes the link. */
  hrefOf?: ((row: Row) => string) | undefined;
  /** The data is of an earlier time. */
  stale?: boolean;
  sorting?: Sorting | undefined;
  /** Rows can be selected for an action on all of them; see `useSelection`. */
  selection?: Selection | undefined;
  /** Names a row for screen readers, at its checkbox. */
  nameOf?: ((row: Row) => string) | undefined;
}

/** A table, on a phone a list of cards. The roles stay, because browsers drop them with another display. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, hrefOf, stale = false, sorting, selection } = props;
  const nameOf = (row: Row) => props.nameOf?.(row) ?? String(keyOf(row));
  return (
    <div class="data-table-frame">
      <table
        class="data-table"
        role="table"
        data-stale={stale}
        data-links={hrefOf !== undefined}
        data-selects={selection !== undefined}
      >
        <caption class="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col" class="select-cell">
                <SelectAll selection={selection} />
              </th>
            )}
            {columns.map(({ key, label, isNumber, sort }) => (
              <th
                key={key}
                role="columnheader"
                scope="col"
                data-number={isNumber}
                aria-sort={sort === undefined ? undefined : sorting?.stateOf(sort)}
              >
                {sort !== undefined && sorting ? (
                  <SortLink sorting={sorting} name={sort} isNumber={isNumber} label={label} />
                ) : (
                  label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" data-selected={selection?.has(keyOf(row))}>
              {selection && (
                <td role="cell" class="select-cell">
                  <SelectOne selection={selection} id={keyOf(row)} name={nameOf(row)} />
                </td>
              )}
              {columns.map(({ key, label, isNumber, phone, cell }) => (
                <td
                  key={key}
                  role="cell"
                  data-number={isNumber}
                  data-phone={phone}
                  data-label={isNumber ? label : undefined}
                >
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
    </div>
  );
}
