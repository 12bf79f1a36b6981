import type { Address } from '../../frame/address.ts';
import { Card } from '../../ui/card.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';
import type { Report } from '../../../sdk/src/index.ts';
import type { FigureName } from '../../../src/web-contract/report-dimensions.ts';
import { figuresOf, formatFigure, type ReportRow } from './figures.ts';
import './row-bars.css';

const BARS_MAX = 10;

interface RowBarsProps {
  address: Address;
  report: Report;
  /** The figure that the rows are in the order of. */
  figure: FigureName;
  nameOf(row: ReportRow): string;
}

/** A bar for each of the first rows, in their order. The table below has the same numbers. */
export function RowBars({ address, report, figure, nameOf }: RowBarsProps) {
  const rows = report.rows.slice(0, BARS_MAX).filter(({ figures }) => figures[figure] > 0);
  const largest = Math.max(...rows.map(({ figures }) => figures[figure]));
  if (rows.length === 0) return null;
  return (
    <Card>
      <Segmented
        label={t('console-reports.figure')}
        current={figure}
        options={figuresOf(report).map((value) => ({
          value,
          label: t(`console-reports.figure.${value}`),
        }))}
        hrefOf={(value) => address.hrefOf({ sort: `-${value}`, page: undefined })}
      />
      <ol class="row-bars">
        {rows.map((row, i) => (
          <li key={i}>
            <span class="row-bar-name">{nameOf(row)}</span>
            <span class="row-bar" aria-hidden="true">
              <span style={{ inlineSize: `${(100 * row.figures[figure]) / largest}%` }} />
            </span>
            <span class="row-bar-value">{formatFigure(figure, row.figures[figure])}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
