import type { ComponentChildren } from 'preact';
import './pill.css';

export type PillKind = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

/** A state in words. The colour only repeats what the words say. */
export function Pill({ kind, children }: { kind: PillKind; children: ComponentChildren }) {
  return (
    <span class="pill" data-kind={kind}>
      {children}
    </span>
  );
}
