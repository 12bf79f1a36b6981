import { formatDate, formatRelative, isToday } from '../format.ts';
import './moment.css';

interface MomentProps {
  date: string;
  /** In a log: the time if it was today. */
  inLog?: boolean;
}

/** A date in relation to today. The exact one appears on hover and on focus, and is what screen readers read. */
export function Moment({ date, inLog = false }: MomentProps) {
  const exact = formatDate(date, 'exact');
  return (
    <time class="moment" dateTime={date} tabIndex={0} data-exact={exact} aria-label={exact}>
      {inLog && isToday(date) ? formatDate(date, 'clock') : formatRelative(date)}
    </time>
  );
}
