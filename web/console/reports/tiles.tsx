import type { ComponentChildren } from 'preact';
import { formatChange } from '../../format.ts';
import { Fitting } from '../../ui/fitting.tsx';
import { t } from '../../words.ts';
import '../../ui/figure-tiles.css';
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
    <ul class="figure-tiles" data-stale={stale}>
      {tiles.map(({ name, now, before, format }) => (
        <li key={name} class="figure-tile">
          <span class="figure-name">{name}</span>
          <span class="figure-value">
            <Fitting text={format(now)} />
          </span>
          <span class="figure-change">
            <Change now={now} before={before}>
              {t('console.change.from', { value: format(before) })}
            </Change>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ChangeProps {
  now: number;
  before: number;
  /** What it is compared with, if the place does not say so; screen readers always hear it. */
  children?: ComponentChildren;
}

/** How a figure has changed: `+7% on the 30 days before`. */
export function Change({ now, before, children }: ChangeProps) {
  if (now === before) return <span class="change">{t('console.change.same')}</span>;
  if (before === 0) return <span class="change">{t('console.change.new')}</span>;
  return (
    <>
      <span class="change" data-direction={now > before ? 'up' : 'down'}>
        {formatChange((now - before) / before)}
      </span>{' '}
      {children ?? <span class="visually-hidden">{t('console.change.against')}</span>}
    </>
  );
}
