import { formatChange } from '../../format.ts';
import { Fitting } from '../../ui/fitting.tsx';
import { t } from '../../words.ts';
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

/** From fewer orders or clicks than this, a percentage says nothing. */
const BASIS_MIN = 10;
/** Above this share a change is a multiple: "5 times as much". */
const PERCENT_MAX = 2;

interface ChangeProps {
  now: number;
  before: number;
  basis?: number | undefined;
}

/** How a figure has changed, where that means something: `+7%`, or `5 times as much`. */
export function Change({ now, before, basis = before }: ChangeProps) {
  if (now === before || before === 0 || basis < BASIS_MIN) return null;
  const share = (now - before) / before;
  return (
    <>
      <span class="change" data-direction={share > 0 ? 'up' : 'down'}>
        {share > PERCENT_MAX
          ? t('console.change.times', { times: Math.round(now / before) })
          : formatChange(share)}
      </span>{' '}
      <span class="visually-hidden">{t('console.change.against')}</span>
    </>
  );
}

/** The change and what it was before; of a small number only that. */
export function ChangeFrom({ format, ...change }: ChangeProps & { format(value: number): string }) {
  const { now, before } = change;
  if (now === before) return <span class="change">{t('console.change.same')}</span>;
  if (before === 0) return <span class="change">{t('console.change.new')}</span>;
  return (
    <>
      <Change {...change} /> {t('console.change.from', { value: format(before) })}
    </>
  );
}
