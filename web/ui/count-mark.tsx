import { formatNumber, t } from '../words.ts';
import './count-mark.css';

const SHOWN_MAX = 99;

interface CountMarkProps {
  count: number | undefined;
  /** For screen readers; that they are unread if left out. */
  text?: string;
}

/** How many things are unread, or wait, beside the name of what they are; nothing for none. */
export function CountMark({ count, text }: CountMarkProps) {
  if (!count) return null;
  return (
    <>
      {' '}
      <span class="count-mark" aria-hidden>
        {count > SHOWN_MAX ? `${SHOWN_MAX}+` : formatNumber(count)}
      </span>
      <span class="visually-hidden">({text ?? t('common.unread', { count })})</span>
    </>
  );
}
