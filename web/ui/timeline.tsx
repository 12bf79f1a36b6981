import { formatDate } from '../format.ts';
import './timeline.css';

export interface TimelineStep {
  readonly title: string;
  /** Null if it is not known, or has not come yet. */
  readonly date: string | null;
  readonly state: 'done' | 'bad' | 'ahead';
  readonly isCurrent?: boolean;
}

/** What has happened and what comes next, in order. */
export function Timeline({ label, steps }: { label: string; steps: readonly TimelineStep[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {steps.map(({ title, date, state, isCurrent }, position) => (
        <li key={position} data-state={state} aria-current={isCurrent ? 'step' : undefined}>
          {title}
          {date && <span class="timeline-date">{formatDate(date, 'exact')}</span>}
        </li>
      ))}
    </ol>
  );
}
