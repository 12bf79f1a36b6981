import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Leaderboard as Board } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { useSession } from '../../../web/session.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Card } from '../../../web/ui/card.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { formatNumber, t } from '../../../web/words.ts';
import './leaderboard.css';

/** The other places follow on request, because the home screen is about what one earns. */
const FIRST = 3;

/** The best of the period, and the place of the affiliate. Nothing before the first order of the period. */
export function Leaderboard() {
  const { isView } = useSession();
  const { data } = useData('leaderboard', {}, () => api.leaderboard.get());
  const [isAsked, setWhole] = useState(false);
  // The team would see its own place instead of the affiliate's.
  if (!data || data.places.length === 0 || isView) return null;
  const { from, places, own } = data;
  const isWhole = isAsked || places.length <= FIRST + 1;
  const shown = isWhole ? places : places.filter((one, index) => index < FIRST || one.own);
  return (
    <Card
      title={t('portal-leaderboard.title')}
      aside={
        <span class="muted">{t('portal-leaderboard.since', { day: formatDate(from, 'day') })}</span>
      }
    >
      <ol class="leaderboard">
        {shown.map((one, index) => (
          <li key={index} data-own={one.own}>
            <span class="leaderboard-place figures">{formatNumber(one.place)}</span>
            <span class="breakable">
              {one.own
                ? t('portal-leaderboard.you')
                : (one.name ?? t('portal-leaderboard.unnamed'))}
            </span>
            {one.figure !== null && <Figure board={data} figure={one.figure} />}
          </li>
        ))}
      </ol>
      {!isWhole && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {t('portal-leaderboard.all', { count: places.length })}
        </Button>
      )}
      {own.place !== null && !places.some((one) => one.own) && (
        <p>
          {t('portal-leaderboard.ownPlace', { place: own.place })}{' '}
          <Figure board={data} figure={own.figure} />
        </p>
      )}
      <p class="muted">
        {t(own.named ? 'portal-leaderboard.named' : 'portal-leaderboard.notNamed')}{' '}
        <Link href="/app/profile?section=about">{t('portal-leaderboard.change')}</Link>
      </p>
    </Card>
  );
}

function Figure({ board: { by, currency }, figure }: { board: Board; figure: number }) {
  if (by === 'sales') return <Money amount={figure} currency={currency} />;
  return <span class="figures">{t('portal-leaderboard.orders', { count: figure })}</span>;
}
