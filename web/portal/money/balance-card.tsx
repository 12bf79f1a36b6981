import type { AffiliateBalance } from '../../../sdk/src/index.ts';
import { formatDate, formatMoney } from '../../format.ts';
import { Card } from '../../ui/card.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../words.ts';
import './balance-card.css';

/** The parts of what was earned, in the order in which money passes through them. */
const parts = ['on_hold', 'available', 'on_its_way', 'paid'] as const;

/** `earned = on hold + available + on its way + paid − taken back`, as a bar and as a sum. */
export function BalanceCard({ balance }: { balance: AffiliateBalance }) {
  const drawn = parts.filter((part) => balance[part] > 0);
  const spoken = drawn.map(
    (part) => `${t(`portal-money.pool.${part}`)}: ${formatMoney(balance[part])}`,
  );
  return (
    <Card title={t('portal-money.balanceTitle')}>
      {drawn.length > 0 && (
        <div class="balance-bar" role="img" aria-label={spoken.join('; ')}>
          {drawn.map((part) => (
            <span key={part} data-part={part} style={{ flexGrow: balance[part] }} />
          ))}
        </div>
      )}
      <dl class="balance-sum">
        {parts.map((part) => (
          <div key={part}>
            <dt>
              <span class="balance-swatch" data-part={part} aria-hidden="true" />
              {t(`portal-money.pool.${part}`)}
            </dt>
            <dd>
              <Money amount={balance[part]} />
            </dd>
            {part === 'on_hold' && <Holds holds={balance.holds} />}
          </div>
        ))}
        {balance.taken_back > 0 && (
          <div>
            <dt>
              <span class="balance-swatch" aria-hidden="true" />
              {t('portal-money.pool.taken_back')}
            </dt>
            <dd>
              <Money amount={-balance.taken_back} />
            </dd>
            <dd class="balance-note">{t('portal-money.takenBackText')}</dd>
          </div>
        )}
        <div class="balance-total">
          <dt>{t('portal-money.pool.earned')}</dt>
          <dd>
            <Money amount={balance.earned} />
          </dd>
        </div>
      </dl>
      {balance.in_review > 0 && (
        <p class="muted balance-note">
          {t('portal-money.inReview', { amount: formatMoney(balance.in_review) })}
        </p>
      )}
      {balance.awaiting > 0 && (
        <p class="muted balance-note">
          {t('portal-money.awaiting', { amount: formatMoney(balance.awaiting) })}
        </p>
      )}
    </Card>
  );
}

const HOLDS_SHOWN = 6;

function Holds({ holds }: { holds: AffiliateBalance['holds'] }) {
  if (holds.length === 0) return null;
  const later = holds.slice(HOLDS_SHOWN);
  const laterAmount = later.reduce((sum, { amount }) => sum + amount, 0);
  return (
    <dd class="balance-note">
      <ul>
        {holds.slice(0, HOLDS_SHOWN).map(({ until, amount }) => (
          <li key={until}>
            {t('portal-money.holdUntil', {
              amount: formatMoney(amount),
              date: formatDate(until, 'day'),
            })}
          </li>
        ))}
        {later.length > 0 && (
          <li>{t('portal-money.holdLater', { amount: formatMoney(laterAmount) })}</li>
        )}
      </ul>
    </dd>
  );
}
