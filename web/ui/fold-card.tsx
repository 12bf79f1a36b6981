import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import './fold-card.css';

interface FoldCardProps {
  title: ComponentChildren;
  /** Whether it is open at first. Then it stays as the reader leaves it. */
  isOpen: boolean;
  children: ComponentChildren;
}

/** A card that shows its heading only, until a person opens it. */
export function FoldCard({ title, isOpen, children }: FoldCardProps) {
  const id = useId();
  const [isOpenFirst] = useState(isOpen);
  return (
    <section class="card" aria-labelledby={id}>
      <details class="fold" open={isOpenFirst}>
        <summary>
          <h2 id={id}>{title}</h2>
        </summary>
        <div class="stack">{children}</div>
      </details>
    </section>
  );
}
