import type { ComponentChildren } from 'preact';
import './progress.css';

interface ProgressProps {
  value: number;
  max: number;
  /** What it leads to, for screen readers. */
  label: string;
  /** Both numbers in words. */
  children: ComponentChildren;
}

/** How far it is to an amount or a number, as a bar. */
export function Progress({ value, max, label, children }: ProgressProps) {
  return (
    <div class="progress">
      <progress max={max} value={value} aria-label={label} />
      <p class="muted figures">{children}</p>
    </div>
  );
}
