import type { ComponentChildren } from 'preact';
import './item-list.css';

interface Item {
  readonly key: string | number;
  readonly title: ComponentChildren;
  readonly detail?: ComponentChildren;
  /** At the end of the item: a button, or a state. */
  readonly action?: ComponentChildren;
}

/** A few things that belong to the person, each with what can be done about it. */
export function ItemList({ items }: { items: readonly Item[] }) {
  return (
    <ul class="item-list">
      {items.map(({ key, title, detail, action }) => (
        <li key={key}>
          <div>
            <p class="item-title">{title}</p>
            {detail && <p class="muted item-detail">{detail}</p>}
          </div>
          {action}
        </li>
      ))}
    </ul>
  );
}
