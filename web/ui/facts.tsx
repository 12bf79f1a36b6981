import type { ComponentChildren } from 'preact';
import './facts.css';

interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
}

/** Names with their values, below each other. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== false)
        .map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
