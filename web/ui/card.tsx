import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './card.css';

interface CardProps {
  /** Its heading, which names the card for screen readers. */
  title?: ComponentChildren;
  /** Beside the heading. */
  aside?: ComponentChildren;
  /** The heading that names it, if it is in the content. */
  labelledBy?: string;
  children: ComponentChildren;
}

export function Card({ title, aside, labelledBy, children }: CardProps) {
  const id = useId();
  const heading = title !== undefined && <h2 id={id}>{title}</h2>;
  return (
    <section class="card stack" aria-labelledby={heading ? id : labelledBy}>
      {aside ? (
        <div class="card-head">
          {heading}
          {aside}
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  );
}
