import { Fitting } from '../../ui/fitting.tsx';
import { ChangeFrom } from './change.tsx';
import '../../ui/figure-tiles.css';
import './tiles.css';

export interface Tile {
  readonly name: string;
  readonly now: number;
  readonly before: number;
  /** How many orders or clicks an amount before comes from; a number counts itself. */
  readonly basis?: number;
  format(value: number): string;
}

/** Figures of a period, each with what it was in the period before. */
export function Tiles({ tiles, stale = false }: { tiles: readonly Tile[]; stale?: boolean }) {
  return (
    <ul class="figure-tiles" data-stale={stale}>
      {tiles.map(({ name, now, before, basis, format }) => (
        <li key={name} class="figure-tile">
          <span class="figure-name">{name}</span>
          <span class="figure-value">
            <Fitting text={format(now)} />
          </span>
          <span class="figure-change">
            <ChangeFrom now={now} before={before} basis={basis} format={format} />
          </span>
        </li>
      ))}
    </ul>
  );
}
