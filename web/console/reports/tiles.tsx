import { formatChange } from '../../format.ts';
import { t } from '../../words.ts';
import './tiles.css';

export interface Tile {
  readonly name: string;
  readonly now: number;
  readonly before: number;
  format(value: number): string;
}

/** Figures of a period, each with the change against the period before. */
export function Tiles({ tiles, stale = false }: { tiles: readonly Tile[]; stale?: boolean }) {
  return (
    <ul class="report-tiles" data-stale={stale}>
      {tiles.map(({ name, now, before, format }) => (
        <li key={name}>
          <span class="report-tile-name">{name}</span>
          <span class="report-tile-value">{format(now)}</span>
          <span class="report-tile-before">
            <Change now={now} before={before} />
            <span class="muted">{t('console-reports.was', { value: format(before) })}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** In words for screen readers: against the period before. */
export function Change({ now, before }: { now: number; before: number }) {
  if (now === before) return <span class="change">{t('console-reports.same')}</span>;
  if (before === 0) return <span class="change">{t('console-reports.new')}</span>;
  return (
    <span class="change" data-direction={now > before ? 'up' : 'down'}>
      {formatChange((now - before) / before)}
      <span class="visually-hidden"> {t('console-reports.against')}</span>
    </span>
  );
}
