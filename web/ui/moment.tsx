import { formatDate, formatRelative } from '../format.ts';
import './moment.css';

/** A date in relation to today. The exact one appears on hover and on focus, and is what screen readers read. */
export function Moment({ date }: { date: string }) {
  const exact = formatDate(date, 'exact');
  return (
    <time class="moment" dateTime={date} tabIndex={0} data-exact={exact} aria-label={exact}>
      {formatRelative(date)}
    </time>
  );
}
