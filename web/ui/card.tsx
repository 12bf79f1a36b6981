import type { ComponentChildren } from 'preact';
import './card.css';

export function Card({
  children,
  labelledBy,
}: {
  children: ComponentChildren;
  labelledBy?: string;
}) {
  return (
    <section class="card stack" aria-labelledby={labelledBy}>
      {children}
    </section>
  );
}
