import { formatNumber, t } from '../words.ts';
import './count-mark.css';

const SHOWN_MAX = 99;

/** How many things are unread, beside the name of what they are; nothing for none. */
export function CountMark({ count }: { count: number | undefined }) {
  if (!count) return null;
  return (
    <>
      {' '}
      <span class="count-mark" aria-hidden>
        {count > SHOWN_MAX ? `${SHOWN_MAX}+` : formatNumber(count)}
      </span>
      <span class="visually-hidden">({t('common.unread', { count })})</span>
    </>
  );
}
