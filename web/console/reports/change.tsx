import { formatChange } from '../../format.ts';
import { t } from '../../words.ts';
import './change.css';

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
